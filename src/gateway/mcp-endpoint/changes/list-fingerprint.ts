import { createHash } from 'node:crypto';
import type { AllowedServer } from '../../../mcp/access/tool-access.repository.js';

/** Digests of an agent's lists, to find out whether they have changed. */
export interface ListFingerprint {
  /** Digest of every tool with its definition, and of whether it needs an approval. */
  tools: string;
  /** The servers by id that are not narrowed to tools, whose prompts and resources make the other lists. */
  servers: ReadonlyMap<string, OfferingServer>;
}

/** A server without its tools, of which only whether it has some is kept. */
export type OfferingServer = Omit<AllowedServer, 'tools'> & { hasTools: boolean };

export function fingerprintOf(servers: readonly AllowedServer[]): ListFingerprint {
  return {
    tools: digest(
      servers.map(({ serverId, slug, serverName, tools, asks }) => [serverId, slug, serverName, tools, asks]),
    ),
    servers: new Map(
      servers
        .filter(({ narrowed }) => !narrowed)
        .map(({ tools, ...server }) => [server.serverId, { ...server, hasTools: tools.length > 0 }]),
    ),
  };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
