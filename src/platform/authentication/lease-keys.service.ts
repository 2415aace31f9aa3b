import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { parse } from 'uuid';
import { prepared } from '../database/service.client.js';
import { Encryption } from '../encryption/encryption.service.js';
import { SealBroken } from '../encryption/key-ring.js';
import { Unauthenticated } from './authentication.errors.js';
import type { AgentPrincipal } from './principals-and-roles.js';

/** A lease of an agent, as its key names it. */
export interface KeyedLease {
  agentId: string;
  issueId: string;
  token: number;
}

/** The parts of a lease key. */
export interface LeaseKeyParts {
  /** The id of the key of the key ring that signed it. */
  keyId: string;
  lease: KeyedLease;
  mac: Buffer;
}

const PREFIX = 'awp_l_';
const FORM = /^awp_l_(?<keyId>[a-z0-9]{1,16})_(?<body>[\w-]{94})$/;

const UUID_BYTES = 16;
const TOKEN_BYTES = 6;
const LEASE_BYTES = 2 * UUID_BYTES + TOKEN_BYTES;
const MAC_BYTES = 32;

/** Returns whether a text claims to be a lease key. */
export function isLeaseKey(text: string): boolean {
  return text.startsWith(PREFIX);
}

/** Writes `awp_l_<id of the ring's key>_<agent, issue, token and MAC in base64url>`. */
export function writeLeaseKey({ keyId, lease, mac }: LeaseKeyParts): string {
  const token = Buffer.alloc(TOKEN_BYTES);
  token.writeUIntBE(lease.token, 0, TOKEN_BYTES);
  const body = Buffer.concat([parse(lease.agentId), parse(lease.issueId), token, mac]);
  return `${PREFIX}${keyId}_${body.toString('base64url')}`;
}

/** Returns null for a text that is not the one spelling of a lease key. */
export function readLeaseKey(text: string): LeaseKeyParts | null {
  const { keyId, body } = FORM.exec(text)?.groups ?? {};
  if (keyId === undefined || body === undefined) return null;
  const bytes = Buffer.from(body, 'base64url');
  if (bytes.length !== LEASE_BYTES + MAC_BYTES || bytes.toString('base64url') !== body) return null;
  const lease = {
    agentId: uuidIn(bytes, 0),
    issueId: uuidIn(bytes, UUID_BYTES),
    token: bytes.readUIntBE(2 * UUID_BYTES, TOKEN_BYTES),
  };
  return { keyId, lease, mac: bytes.subarray(LEASE_BYTES) };
}

/** The bytes are signed, so that they need not be a UUID of a known version. */
function uuidIn(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + UUID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The agent that a lease key names. */
export interface AgentOfLease {
  id: string;
  name: string;
  disabled: boolean;
  toolsRequireLease: boolean;
}

const AGENT_OF_LEASE = prepared(
  'lease-keys.agent',
  `SELECT id, name, disabled, tools_require_lease AS "toolsRequireLease"
   FROM agents WHERE id = $1 AND retired_at IS NULL`,
);

const CONTEXT = 'lease_key';

/**
 * Makes and reads lease keys (contract §7.9). A key names agent, issue and token, and is signed with the key ring:
 * nothing is stored, and the same lease has the same key in every process (decision 0030).
 */
@Injectable()
export class LeaseKeysService {
  constructor(
    private readonly encryption: Encryption,
    @InjectDataSource() private readonly source: DataSource,
  ) {}

  keyOf(lease: KeyedLease): string {
    const keyId = this.encryption.primaryKeyId;
    return writeLeaseKey({ keyId, lease, mac: this.macOf(lease, keyId) });
  }

  /**
   * Returns the lease that a key stands for. Whether it lives is not known.
   * @throws {Unauthenticated} for a key that this service did not make, or whose key has left the key ring
   */
  leaseOf(key: string): KeyedLease {
    const parts = readLeaseKey(key);
    if (!parts || !this.isSigned(parts.lease, parts.keyId, parts.mac)) throw new Unauthenticated();
    return parts.lease;
  }

  /**
   * SQL: every request with a lease key runs it, and agents are in a module above.
   * @throws {Unauthenticated} also when the agent is retired
   */
  async principalOf(key: string): Promise<AgentPrincipal> {
    const lease = this.leaseOf(key);
    const [agent] = await this.source.query<AgentOfLease[]>(AGENT_OF_LEASE, [lease.agentId]);
    return leasePrincipal(lease, agent ?? null);
  }

  private isSigned(lease: KeyedLease, keyId: string, mac: Buffer): boolean {
    try {
      return timingSafeEqual(this.macOf(lease, keyId), mac);
    } catch (error) {
      if (error instanceof SealBroken) return false;
      throw error;
    }
  }

  private macOf({ agentId, issueId, token }: KeyedLease, keyId: string): Buffer {
    return this.encryption.mac(`${agentId}|${issueId}|${token}`, CONTEXT, keyId);
  }
}

/**
 * Returns the caller that a lease key stands for.
 * @throws {Unauthenticated} when there is no such agent any more
 */
export function leasePrincipal(
  { issueId, token }: KeyedLease,
  agent: AgentOfLease | null,
): AgentPrincipal & { lease: { issueId: string; token: number } } {
  if (!agent) throw new Unauthenticated();
  const lease = { issueId, token };
  return { type: 'agent', ...agent, lease, keyId: `${issueId}#${token}`, keyExpiresAt: null };
}
