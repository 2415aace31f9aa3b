import { createHash } from 'node:crypto';
import { jsonText } from '../../platform/json/exact-json.js';
import type { AgentTool } from './agent-tool.js';

/** Returns a digest of an agent's tools that changes with their names, definitions and order. */
export function versionOf(tools: readonly AgentTool[]): string {
  return createHash('sha256').update(jsonText(tools)).digest('base64url');
}
