import type { IncomingMessage } from 'node:http';

const ENDPOINT = /^(?:https?:\/\/[^/?#]+)?\/(?:mcp|api\/agents\/([^/?#]+)\/mcp)\/?(?:\?|$)/;
const AGENT_KEY = /^Bearer (awp_[al]_\S+)$/i;

/** The endpoint that a request is sent to. */
export interface Target {
  /** The template of the route, for logs and metrics. */
  route: string;
  /** The agent that the path names: an id or `me`; undefined for /mcp. */
  agentId: string | undefined;
}

/** Returns the endpoint of a POST to /mcp or /api/agents/{agentId}/mcp, matched as Express matches; null for all else. */
export function targetOf({ method, url = '' }: IncomingMessage): Target | null {
  if (method !== 'POST') return null;
  const match = ENDPOINT.exec(url);
  if (!match) return null;
  const [, named] = match;
  if (named === undefined) return { route: '/mcp', agentId: undefined };
  const agentId = decoded(named);
  return agentId === null ? null : { route: '/api/agents/:agentId/mcp', agentId };
}

/** Returns the key of an agent or a lease in the Authorization header; undefined where it carries none. */
export function agentKeyIn({ headers }: IncomingMessage): string | undefined {
  return AGENT_KEY.exec(headers.authorization ?? '')?.[1];
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null; // Express answers a path that does not decode.
  }
}
