import { Injectable } from '@nestjs/common';
import type { AdvertisedParts } from '../../../mcp/access/advertised-name.js';
import { verdictOn, type CallVerdict } from '../../../mcp/access/call-verdict.js';
import { KeyAuthenticationService } from '../../../platform/auth/key-authentication.service.js';
import type { Principal } from '../../../platform/auth/principal.js';
import { isLeaseKey } from '../../../platform/auth/lease-keys/lease-key-format.js';
import { leasePrincipal, LeaseKeysService } from '../../../platform/auth/lease-keys/lease-keys.service.js';
import { pick } from '../../../platform/http/pick.js';
import { BatchedReads } from '../../../platform/database/batched-reads.js';
import type { KeyAndOwner } from '../../../platform/auth/keys/api-keys.repository.js';
import {
  CallRightsRepository,
  type CalledFor,
  type FoundLeaseRight,
  type FoundRight,
  type KeyedCall,
  type LeaseCall,
} from './call-rights.repository.js';

/** Whether a tool call is allowed, and for which issue it is made. */
export interface CallRight {
  verdict: CallVerdict;
  /** The work of the lease key or, with the agent's own key, of its only live lease; null without one. */
  calledFor: CalledFor | null;
  /** The sessions that hold leases of the agent, by their names; absent with the key of a lease. */
  sessions?: string[];
  /** Whether a budget applies. */
  hasBudget: boolean;
  /** `performance.now()` before the right was read. */
  decidedAt: number;
  /** The call came with the key of a lease that has ended. */
  leaseIsOver?: boolean;
}

/**
 * Authenticates the caller of a tool and decides whether it may make the call. Both are read from the database for
 * every call, in one statement for all calls that arrive together, and nothing is kept. The decision itself is SQL that
 * tools/list shares (`SERVER_REFUSAL`, `TOOL_REFUSAL`).
 */
@Injectable()
export class CallRightsService {
  private readonly found = new BatchedReads<FoundRight & KeyAndOwner>('call_rights', async (asked) => {
    const found = await this.repository.findByKeys(asked.map((call) => JSON.parse(call) as KeyedCall));
    return new Map(found.flatMap((right, at) => (right ? [[asked[at]!, right]] : [])));
  });

  private readonly foundByLease = new BatchedReads<FoundLeaseRight>('lease_call_rights', async (asked) => {
    const found = await this.repository.findByLeases(asked.map((call) => JSON.parse(call) as LeaseCall));
    return new Map(found.flatMap((right, at) => (right ? [[asked[at]!, right]] : [])));
  });

  constructor(
    private readonly repository: CallRightsRepository,
    private readonly keys: KeyAuthenticationService,
    private readonly leaseKeys: LeaseKeysService,
  ) {}

  /**
   * @param parts of the tool's name; null for a name that belongs to no server
   * @throws {Unauthenticated} for a key that is malformed, unknown or expired
   */
  async readWithKey(key: string, parts: AdvertisedParts | null): Promise<CallRight & { caller: Principal }> {
    if (isLeaseKey(key)) return this.readWithLeaseKey(key, parts);
    const call: KeyedCall = {
      keyHash: this.keys.hashOf(key),
      slug: parts?.slug ?? '',
      tool: parts?.name ?? '',
    };
    const decidedAt = performance.now();
    const found = await this.found.read(JSON.stringify(call));
    const caller = await this.keys.admit(found);
    const verdict = verdictOn(found?.call ?? null);
    const { calledFor = null, sessions = [], hasBudget = false } = found ?? {};
    return { caller, verdict, calledFor, sessions, hasBudget, decidedAt };
  }

  private async readWithLeaseKey(
    key: string,
    parts: AdvertisedParts | null,
  ): Promise<CallRight & { caller: Principal }> {
    const lease = this.leaseKeys.leaseOf(key);
    const call: LeaseCall = { lease, slug: parts?.slug ?? '', tool: parts?.name ?? '' };
    const decidedAt = performance.now();
    const found = await this.foundByLease.read(JSON.stringify(call));
    const caller = leasePrincipal(
      lease,
      found && { ...pick(found, 'name', 'disabled', 'toolsRequireLease'), id: found.agentId },
    );
    const verdict = verdictOn(found?.call ?? null);
    const { projectId = null, hasBudget = false, turn = 0, leaseIsGood = false } = found ?? {};
    const calledFor = { issueId: lease.issueId, projectId, leaseToken: lease.token, turn };
    return { caller, verdict, calledFor, hasBudget, decidedAt, leaseIsOver: !leaseIsGood };
  }

  /** The right of an agent that is already authenticated. */
  async read(agentId: string, slug: string, tool: string): Promise<CallRight> {
    const decidedAt = performance.now();
    const { call, ...work } = await this.repository.findByAgent(agentId, slug, tool);
    return { verdict: verdictOn(call), ...work, decidedAt };
  }
}
