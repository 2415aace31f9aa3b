import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { type BriefChanges, changesBetween, NO_CHANGES } from '../issue-status/brief-changes.js';
import { IssueLease } from '../issue-status/issue-lease.entity.js';
import {
  type GivenLease,
  type HeardBrief,
  IssueLeaseRepository,
  type NamedLease,
  type RenewedLease,
} from '../issue-status/issue-lease.repository.js';
import { parseIssueReference } from '../issue-status/issue-row.js';
import { goodLeases } from '../issue-status/lease-conditions-sql.js';
import { MEASURED } from '../issue-status/lease-usage.repository.js';
import { type StopReason, stopReasonOf } from '../issue-status/stop-reasons.js';

/** Who takes leases over MCP: a session, by a name made from its id, and a worker by its own name. At least one is set. */
export interface LeaseHolder {
  session: string | null;
  worker: string | null;
}

/** A lease with its token, as its holder may see it. */
export type HeldLease = GivenLease & { key: string };

/** Condition: the lease `l` was taken by the session `$2` or the worker `$3`. */
const OF_EITHER = `l.mcp_token = l.token AND (l.mcp_session = $2 OR l.mcp_worker = $3)`;

/** The same for callers that are to get the tokens: of several workers in one session, each sees its own leases. */
const OF_HOLDER = `l.mcp_token = l.token AND CASE WHEN $3::text IS NULL THEN l.mcp_session = $2 ELSE l.mcp_worker = $3 END`;

const RENEWED = `${MEASURED}, expires_at = now() + make_interval(secs => l.mcp_seconds)`;

/** No worker goes on while its agent must stop all work. */
const NOT_HALTED = `NOT (SELECT halted FROM agent_halt)`;

/** The leases that were taken over MCP, and who holds them (contract §7.4). */
@Injectable()
export class HeldLeasesRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: a row of another module. Serves the calls of one agent that take work one by one, as its heartbeats are. */
  async lockAgent(agentId: string): Promise<void> {
    await this.source.query<unknown[]>('SELECT id FROM agents WHERE id = $1 FOR NO KEY UPDATE', [agentId]);
  }

  /** SQL: the database's clock. Marks new leases as taken over MCP, by this holder where it has a name. */
  async take(
    agentId: string,
    issueIds: string[],
    holder: LeaseHolder | null,
    seconds: number,
  ): Promise<GivenLease[]> {
    const [rows] = await this.source.query<[GivenLease[], number]>(
      `UPDATE issue_leases
       SET mcp_token = token, mcp_seconds = $3::integer, mcp_session = $4, mcp_worker = $5, mcp_confirmed = false,
           expires_at = now() + make_interval(secs => $3::integer)
       WHERE agent_id = $1 AND issue_id = ANY($2::uuid[])
       RETURNING issue_id AS "issueId", token::int AS token, expires_at AS "expiresAt"`,
      [agentId, issueIds, seconds, holder?.session ?? null, holder?.worker ?? null],
    );
    return rows;
  }

  /** SQL: joins and the database's clock. Renews the first lease of the holder that no later request has confirmed; null without one. */
  async renewUnconfirmed(agentId: string, { session, worker }: LeaseHolder): Promise<GivenLease | null> {
    const [[row]] = await this.source.query<[GivenLease[], number]>(
      `UPDATE issue_leases l SET ${RENEWED}
       WHERE ${NOT_HALTED} AND l.issue_id = (
         SELECT l.issue_id FROM issue_leases l, issues i, projects p
         WHERE ${goodLeases('$1')} AND ${OF_HOLDER} AND NOT l.mcp_confirmed
         ORDER BY i.priority DESC, i.created_at, i.id LIMIT 1)
       RETURNING l.issue_id AS "issueId", l.token::int AS token, l.expires_at AS "expiresAt"`,
      [agentId, session, worker],
    );
    return row ?? null;
  }

  /**
   * SQL: every request of a session. Renews all leases of the holder that are still good, and confirms that of the issue that is named.
   * @param reference id or key of an issue that the request names
   * @returns whether the agent has to be marked as seen
   */
  async renew(agentId: string, { session, worker }: LeaseHolder, reference: string | null): Promise<boolean> {
    const name = reference === null ? null : parseIssueReference(reference);
    const [renewed] = await this.source.query<[{ isStale: boolean }[], number]>(
      `UPDATE issue_leases l
       SET ${RENEWED}, mcp_confirmed = l.mcp_confirmed OR coalesce(i.id = $4, p.key = $5 AND i.number = $6, false)
       FROM issues i, projects p
       WHERE ${goodLeases('$1')} AND ${OF_EITHER} AND ${NOT_HALTED}
       RETURNING (SELECT coalesce(a.last_heartbeat_at < now() - interval '10 seconds', true) FROM agents a WHERE a.id = $1) AS "isStale"`,
      [
        agentId,
        session,
        worker,
        name && 'id' in name ? name.id : null,
        name && 'number' in name ? name.projectKey : null,
        name && 'number' in name ? name.number : null,
      ],
    );
    return renewed.some(({ isStale }) => isStale);
  }

  /** SQL: a row of another module. A request that renews a lease is as good as a heartbeat. */
  async markSeen(agentId: string): Promise<void> {
    await this.source.query('UPDATE agents SET last_heartbeat_at = now() WHERE id = $1', [agentId]);
  }

  /** SQL: joins. Returns the leases of the holder that are still good. */
  list(agentId: string, { session, worker }: LeaseHolder): Promise<HeldLease[]> {
    return this.source.query<HeldLease[]>(
      `SELECT l.issue_id AS "issueId", p.key || '-' || i.number AS key, l.token::int AS token, l.expires_at AS "expiresAt"
       FROM issue_leases l, issues i, projects p
       WHERE ${goodLeases('$1')} AND ${OF_HOLDER} ORDER BY i.priority DESC, i.created_at, i.id`,
      [agentId, session, worker],
    );
  }
}

const LONGEST_SECONDS = 30;

/** Returns how many seconds an agent waits between heartbeats: three fit into a lease, so that one may be lost. */
export function heartbeatIntervalSeconds(leaseSeconds: number): number {
  return Math.max(1, Math.min(LONGEST_SECONDS, Math.floor(leaseSeconds / 3)));
}

/** Renews the leases of workers and returns what became of them (contract §7). `PickUpsService` hands out new ones. */
@Injectable()
export class IssueLeasesService {
  constructor(
    @InjectRepository(IssueLease) private readonly leases: IssueLeaseRepository,
    private readonly settings: Settings,
  ) {}

  /** Returns the ids of the issues that a worker names by id or key. What names no issue that the agent sees is absent. */
  async idsOf(agentId: string, references: string[]): Promise<Map<string, string>> {
    const parsed = references.map((reference) => ({ reference, name: parseIssueReference(reference) }));
    const keys = parsed.flatMap(({ name }) => (name && 'number' in name ? [name] : []));
    const found = keys.length > 0 ? await this.leases.findByKeys(agentId, keys) : [];
    const byKey = new Map(found.map(({ key, id }) => [key, id]));
    const ids = new Map<string, string>();
    for (const { reference, name } of parsed) {
      const id = name && 'id' in name ? name.id.toLowerCase() : byKey.get(reference);
      if (id !== undefined) ids.set(reference, id);
    }
    return ids;
  }

  /** Renews those leases that are still the worker's. */
  renew(agentId: string, named: NamedLease[], worker: string | null = null): Promise<RenewedLease[]> {
    return this.leases.renew(agentId, named, this.settings.leaseSeconds, worker);
  }

  /** Gives the leases of a worker new tokens, so that the process that has held them cannot go on. */
  takeOver(agentId: string, worker: string): Promise<void> {
    return this.leases.takeOver(agentId, worker);
  }

  /** Returns the leases that a worker has to hear of. */
  ofWorker(agentId: string, worker: string): Promise<NamedLease[]> {
    return this.leases.findOfWorker(agentId, worker);
  }

  /** The worker has heard that its leases of these issues ended. */
  async forget(agentId: string, worker: string, issueIds: string[]): Promise<void> {
    if (issueIds.length > 0) await this.leases.forget(agentId, worker, issueIds);
  }

  /** Returns what changed in the brief since the agent last received it, which it hereby does. */
  async takeChanges(agentId: string, issueId: string): Promise<BriefChanges> {
    const brief = await this.leases.takeBrief(agentId, issueId);
    return brief ? changesBetween(brief.heard, brief.present) : NO_CHANGES;
  }

  /** Returns what the agent knew of issues that it had before, and how they are now. */
  heardOf(agentId: string, issueIds: string[]): Promise<HeardBrief[]> {
    return issueIds.length > 0 ? this.leases.findHeard(agentId, issueIds) : Promise.resolve([]);
  }

  /**
   * Returns why a worker must stop, by the id of each of these issues. One that is absent was deleted, or is not seen.
   * @param held with the token 0 where the worker names none
   * @param isPast whether what ended the lease counts also after it is over
   */
  async stopReasons(agentId: string, held: NamedLease[], isPast = true): Promise<Map<string, StopReason>> {
    const standings = await this.leases.findStandings(agentId, held);
    return new Map(
      standings.map(({ endedAs, ...standing }) => [
        standing.id,
        stopReasonOf({ ...standing, endedAs: isPast ? endedAs : null }),
      ]),
    );
  }

  countLive(agentId: string): Promise<number> {
    return this.leases.countLive(agentId);
  }
}
