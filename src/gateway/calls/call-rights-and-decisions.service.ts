import { Injectable } from '@nestjs/common';
import { type AdvertisedParts, originalOf, partsOf } from '../../mcp/access/advertised-name.js';
import { type CallVerdict, verdictOn } from '../../mcp/access/effective-access-and-refusals.js';
import { ToolAccessService } from '../../mcp/access/tool-access.service.js';
import type { KeyAndOwner } from '../../platform/authentication/api-key.repository.js';
import { KeyAuthenticationService } from '../../platform/authentication/key-format-and-authentication.service.js';
import {
  isLeaseKey,
  LeaseKeysService,
  leasePrincipal,
} from '../../platform/authentication/lease-keys.service.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { BatchedReads } from '../../platform/database/batched-reads.js';
import { pick } from '../../platform/http/pick.js';
import {
  type CalledFor,
  CallRightsRepository,
  type FoundLeaseRight,
  type FoundRight,
  type KeyedCall,
  type LeaseCall,
} from './call-rights-and-only-lease.repository.js';
import { notYours } from './tool-results-and-refusals.js';

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

/** The right of a call together with the server's own name of the tool. */
export interface CallDecision extends CallRight {
  toolName: string;
}

/** Decides which tool a name means, and whether the agent may call it. */
@Injectable()
export class CallDecisionsService {
  constructor(
    private readonly rights: CallRightsService,
    private readonly access: ToolAccessService,
  ) {}

  /**
   * @param known the right, where it was read together with the caller's key
   * @throws {ProtocolError} for a name that cannot belong to a server's tool
   */
  async decide(agentId: string, name: unknown, known?: CallRight): Promise<CallDecision> {
    const parts = partsOf(name);
    if (!parts) throw notYours(name);
    const right = known ?? (await this.rights.read(agentId, parts.slug, parts.name));
    const { verdict } = right;
    if (!parts.mayBeChanged || verdict.allowed || verdict.reason !== 'unknown_tool')
      return { ...right, toolName: parts.name };
    const toolName = await this.originalName(agentId, String(name), parts);
    return { ...(await this.rights.read(agentId, parts.slug, toolName)), toolName };
  }

  /** A name that was changed or cut is found by comparing it with the names of all tools of the server. */
  private async originalName(agentId: string, advertised: string, parts: AdvertisedParts): Promise<string> {
    const tools = await this.access.explain(agentId);
    const names = tools.filter(({ slug }) => slug === parts.slug).map(({ name }) => name);
    return originalOf(advertised, parts.slug, names) ?? parts.name;
  }
}
