import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { SealBroken } from '../../platform/encryption/key-ring.js';

type Loose = Record<string, unknown>;

/** Whose session it is: an agent's or, with a lease key, that of one lease. */
export type SessionHolder = Pick<AgentPrincipal, 'id' | 'lease'>;

/** What the id of a session says about it. The agent is part of the seal's context. */
export interface SessionClaims {
  /** The protocol version that the client asked for in `initialize`. */
  protocolVersion: string;
  /** The capabilities that the client declared. */
  capabilities: Loose;
  /** In ISO 8601. It makes no id invalid. */
  createdAt: string;
}

/** The id travels in a header of every request. The names alone are kept of capabilities that are longer, in characters. */
const LONGEST_CAPABILITIES = 512;
const MOST_NAMES = 16;
const LONGEST_VERSION = 32;
const OLDEST_VERSION = '2025-03-26';

/**
 * Makes and reads the ids of sessions. An id is sealed with the key ring (AES-256-GCM) for one agent, so that a process
 * that has never seen it can distinguish a real one from an invented one, and revive the session from it.
 */
@Injectable()
export class SessionIdsService {
  constructor(private readonly encryption: Encryption) {}

  /** @param greeting the parameters of `initialize` */
  issue(holder: SessionHolder, { protocolVersion, capabilities }: Loose): string {
    const claims: SessionClaims = {
      protocolVersion: isVersion(protocolVersion) ? protocolVersion : OLDEST_VERSION,
      capabilities: shortened(isObject(capabilities) ? capabilities : {}),
      createdAt: new Date().toISOString(),
    };
    return this.encryption.seal(JSON.stringify(claims), contextOf(holder));
  }

  /** Returns null for an id that this service did not make for this agent and lease, or whose key has left the key ring. */
  read(id: string, holder: SessionHolder): SessionClaims | null {
    try {
      return JSON.parse(this.encryption.open(id, contextOf(holder))) as SessionClaims;
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}

function contextOf({ id, lease }: SessionHolder): string {
  return lease ? `mcp_session|${id}|${lease.issueId}|${lease.token}` : `mcp_session|${id}`;
}

function shortened(capabilities: Loose): Loose {
  if (JSON.stringify(capabilities).length <= LONGEST_CAPABILITIES) return capabilities;
  const names = Object.keys(capabilities).filter((name) => /^\w{1,24}$/.test(name));
  return Object.fromEntries(names.slice(0, MOST_NAMES).map((name) => [name, {}]));
}

function isVersion(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST_VERSION;
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
