import { createHash } from 'node:crypto';
import { jsonText } from '../../../platform/json/exact-json.js';
import type { OfferedServer } from '../../../mcp/access/offered-servers.repository.js';

/** Digests of an agent's lists, to find out whether they have changed. */
export interface ListFingerprint {
  /** Digest of every tool with its definition, and of whether it needs an approval. */
  tools: string;
  /** The servers by id that are not narrowed to tools, whose prompts and resources make the other lists. */
  servers: ReadonlyMap<string, OfferedServer>;
}

export function fingerprintOf(servers: readonly OfferedServer[]): ListFingerprint {
  return {
    tools: digest(
      servers.map(({ serverId, slug, serverName, tools }) => [serverId, slug, serverName, tools]),
    ),
    servers: new Map(servers.filter(({ narrowed }) => !narrowed).map((server) => [server.serverId, server])),
  };
}

function digest(value: unknown): string {
  return createHash('sha256').update(jsonText(value)).digest('base64');
}
