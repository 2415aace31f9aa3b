import { createHash } from 'node:crypto';
import { jsonText, parseJson } from '../../../platform/json/exact-json.js';
import { canonicalJson } from '../../../platform/http/body/canonical-json.js';
import { textError } from '../../../platform/http/body/text-rules.js';
import { withVisibleDescriptions } from './visible-text.js';

/** What a server says about one tool and an agent's model reads. The hash covers all of it. */
export interface ToolDefinition {
  name: string;
  title?: string;
  description?: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  annotations?: Record<string, unknown>;
}

/** A tool as a connection lists it, with more fields than are stored. */
type ListedTool = ToolDefinition & Record<string, unknown>;

/** A longer name fits no index of the database, and the journal keeps names for good. MCP asks for 128 at most. */
const NAME_MAX_BYTES = 1_024;

/** The list of a server's tools cannot be stored; the message says why. */
export class ToolsUnusable extends Error {}

/**
 * Returns the definitions of a listing, one per name: the first counts. Fields that the hash does not cover are left
 * out, since a change of them would go unnoticed.
 * @throws {ToolsUnusable} when a text holds characters that the database rejects, or a name is too long
 */
export function definitionsOf(listed: readonly ListedTool[]): ToolDefinition[] {
  const byName = new Map<string, ToolDefinition>();
  for (const tool of listed) {
    if (Buffer.byteLength(tool.name) > NAME_MAX_BYTES)
      throw new ToolsUnusable(`The server lists a tool with a name of more than ${NAME_MAX_BYTES} bytes.`);
    const definition = definitionOf(tool);
    if (!isStorable(definition))
      throw new ToolsUnusable('The server lists a tool with invalid characters (NUL or a lone surrogate).');
    if (!byName.has(tool.name)) byName.set(tool.name, withVisibleDescriptions(definition));
  }
  return [...byName.values()];
}

/** Returns the SHA-256 of the definition's canonical JSON in hex (contract §3.3). */
export function hashOf(definition: ToolDefinition): string {
  return createHash('sha256').update(canonicalJson(definition)).digest('hex');
}

function definitionOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: ListedTool): ToolDefinition {
  const fields = { name, title, description, inputSchema, outputSchema, annotations };
  return parseJson(jsonText(fields)) as ToolDefinition;
}

function isStorable(definition: ToolDefinition): boolean {
  let storable = true;
  JSON.stringify(definition, (key, value: unknown) => {
    if (textError(key) !== null || (typeof value === 'string' && textError(value) !== null)) storable = false;
    return value;
  });
  return storable;
}
