import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Encryption } from '../../encryption/encryption.service.js';
import { SealBroken } from '../../encryption/key-ring.errors.js';
import { Unauthenticated } from '../auth.errors.js';
import type { AgentPrincipal } from '../principal.js';
import { readLeaseKey, writeLeaseKey, type KeyedLease } from './lease-key-format.js';
import { LeaseKeysRepository, type AgentOfLease } from './lease-keys.repository.js';

const CONTEXT = 'lease_key';

/**
 * Makes and reads lease keys (contract §7.9). A key names agent, issue and token, and is signed with the key ring:
 * nothing is stored, and the same lease has the same key in every process (decision 0030).
 */
@Injectable()
export class LeaseKeysService {
  constructor(
    private readonly encryption: Encryption,
    private readonly agents: LeaseKeysRepository,
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

  /** @throws {Unauthenticated} also when the agent is retired */
  async principalOf(key: string): Promise<AgentPrincipal> {
    const lease = this.leaseOf(key);
    return leasePrincipal(lease, await this.agents.find(lease.agentId));
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
