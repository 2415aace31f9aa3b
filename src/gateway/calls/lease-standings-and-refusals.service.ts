import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Unauthenticated } from '../../platform/authentication/authentication.errors.js';
import type { KeyedLease } from '../../platform/authentication/lease-keys.service.js';
import {
  type AgentPrincipal,
  isLeaseHolder,
  type LeasePrincipal,
} from '../../platform/authentication/principals-and-roles.js';
import { prepared } from '../../platform/database/service.client.js';
import { goodLeases } from '../../work/issue-status/lease-conditions-lengths-and-usage.repository.js';
import {
  IssueLeasesService,
  LeaseLost,
} from '../../work/leases/lease-token-checks-renewals-heartbeat-interval.service.js';
import { problemResult, type ToolResult } from './tool-results-and-refusals.js';

/** What the database says about a lease at one moment. */
export interface LeaseStanding {
  /** Whether it is still that of its worker. */
  good: boolean;
  /** Whether its agent must stop all work; the lease itself outlives that. */
  suspended: 'halted' | 'disabled' | null;
}

/** Condition: the lease that `asked` names is still that of its worker. */
export const GOOD_LEASE = `EXISTS (
  SELECT 1 FROM issue_leases l, issues i, projects p
  WHERE l.issue_id = asked.issue_id AND l.token = asked.token AND ${goodLeases('asked.agent_id')})`;

const READ = prepared(
  'lease-standings',
  `
  SELECT ${GOOD_LEASE} AS good,
         CASE WHEN a.disabled IS NOT FALSE THEN 'disabled' WHEN h.halted THEN 'halted' END AS suspended
  FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::bigint[])) WITH ORDINALITY
    AS asked (agent_id, issue_id, token, place)
  CROSS JOIN agent_halt h LEFT JOIN agents a ON a.id = asked.agent_id
  ORDER BY asked.place`,
);

/** `stop_new_calls` in the database takes the locks of these names for itself. */
const TRY_LOCK = prepared(
  'lease-standings.hold',
  `
  SELECT name FROM unnest($1::text[]) AS asked (name)
  WHERE NOT pg_try_advisory_xact_lock_shared(hashtextextended(name, 1))`,
);

/** Reads whether leases live, and holds off what would end them. */
@Injectable()
export class LeaseStandingsRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** Returns one element per lease, in the same order. */
  read(leases: readonly KeyedLease[]): Promise<LeaseStanding[]> {
    return this.source.query<LeaseStanding[]>(READ, [
      leases.map(({ agentId }) => agentId),
      leases.map(({ issueId }) => issueId),
      leases.map(({ token }) => token),
    ]);
  }

  /**
   * Holds off, until the end of the transaction, what would end these leases or suspend their agents. It never waits.
   * @returns whether each of them is held off; the others are ending or have just ended
   */
  async holdOff(leases: readonly KeyedLease[]): Promise<boolean[]> {
    const names = new Set(leases.flatMap((lease) => lockNames(lease)));
    const taken = await this.source.query<{ name: string }[]>(TRY_LOCK, [[...names]]);
    const missing = new Set(taken.map(({ name }) => name));
    return leases.map((lease) => !lockNames(lease).some((name) => missing.has(name)));
  }
}

function lockNames({ agentId, issueId }: KeyedLease): string[] {
  return ['calls of all agents', `calls of agent ${agentId}`, `calls of lease ${issueId}`];
}

/** Responses to requests with the key of a lease that has ended. */
@Injectable()
export class LostLeasesService {
  constructor(
    private readonly standings: LeaseStandingsRepository,
    private readonly leases: IssueLeasesService,
  ) {}

  /** Returns the result of a call that its lease does not allow any more, with the reason. */
  async result(agent: LeasePrincipal): Promise<ToolResult> {
    const { good, suspended } = await this.standingOf(agent);
    const { issueId } = agent.lease;
    const reasons = good ? null : await this.leases.stopReasons(agent.id, [agent.lease]);
    const reason = reasons ? (reasons.get(issueId) ?? 'deleted') : (suspended ?? 'lease_lost');
    return problemResult(new LeaseLost(reason));
  }

  /**
   * Checks the lease of a lease key, for a request other than a tool call. Any other key passes.
   * @throws {Unauthenticated}
   */
  async refuse(agent: AgentPrincipal): Promise<void> {
    if (!isLeaseHolder(agent) || (await this.standingOf(agent)).good) return;
    throw new Unauthenticated('The lease of this key has ended. A new lease brings a new key.');
  }

  private async standingOf({ id, lease }: LeasePrincipal): Promise<LeaseStanding> {
    const [standing] = await this.standings.read([{ agentId: id, ...lease }]);
    return standing!;
  }
}
