import { createHash } from 'node:crypto';
import type { AllowedServer } from '../../../mcp/access/tool-access.repository.js';

/** What an agent's lists look like, for telling whether they have changed. */
export interface ListFingerprint {
  /** Of every tool with its definition. */
  tools: string;
  /** Of the servers, whose prompts and resources make the other lists. */
  servers: string;
  serverIds: ReadonlySet<string>;
}

export function fingerprintOf(servers: readonly AllowedServer[]): ListFingerprint {
  const ids = servers.map(({ serverId, slug }) => [serverId, slug]);
  return {
    tools: digest(
      servers.map(({ serverId, slug, serverName, tools }) => [serverId, slug, serverName, tools]),
    ),
    servers: digest(ids),
    serverIds: new Set(servers.map(({ serverId }) => serverId)),
  };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
