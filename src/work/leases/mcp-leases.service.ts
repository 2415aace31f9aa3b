import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import type { GivenLease } from '../issue-status/issue-lease.repository.js';
import { parseIssueReference } from '../issue-status/issue-row-and-references.js';
import {
  expiryOf,
  goodLeases,
  MEASURED,
} from '../issue-status/lease-conditions-lengths-and-usage.repository.js';

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

/** Every lease of these statements was taken over MCP. */
const RENEWED = `${MEASURED}, expires_at = ${expiryOf('NULL')}`;

/** No worker goes on while its agent must stop all work. */
const NOT_HALTED = `NOT (SELECT halted FROM agent_halt)`;

/** The leases that were taken over MCP, and who holds them (contract §7.4). */
@Injectable()
export class McpLeasesRepository {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly settings: Settings,
  ) {}

  /** SQL: a row of another module. Serves the calls of one agent that take work one by one, as its heartbeats are. */
  async lockAgent(agentId: string): Promise<void> {
    await this.source.query<unknown[]>('SELECT id FROM agents WHERE id = $1 FOR NO KEY UPDATE', [agentId]);
  }

  /** SQL: the database's clock. Marks new leases as taken over MCP for MCP_LEASE_SECONDS, by this holder where it has a name. */
  async take(agentId: string, issueIds: string[], holder: LeaseHolder | null): Promise<GivenLease[]> {
    const [rows] = await this.source.query<[GivenLease[], number]>(
      `UPDATE issue_leases
       SET mcp_token = token, mcp_seconds = $3::integer, mcp_session = $4, mcp_worker = $5, mcp_confirmed = false,
           expires_at = now() + make_interval(secs => $3::integer)
       WHERE agent_id = $1 AND issue_id = ANY($2::uuid[])
       RETURNING issue_id AS "issueId", token::int AS token, expires_at AS "expiresAt"`,
      [agentId, issueIds, this.settings.mcpLeaseSeconds, holder?.session ?? null, holder?.worker ?? null],
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

/** Returns the name under which a session holds leases. Its id alone opens the session, so that is not stored. */
export function sessionName(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** Keeps the leases of agents that work by MCP alone alive, with each of their requests (contract §7.4). */
@Injectable()
export class McpLeasesService {
  private readonly log = new Logger(McpLeasesService.name);

  constructor(private readonly leases: McpLeasesRepository) {}

  /** Returns who holds what a call takes; null for a caller without a session that gives no name. */
  holderOf(session: { name: string } | undefined, worker: string | null): LeaseHolder | null {
    if (!session && worker === null) return null;
    return { session: session?.name ?? null, worker };
  }

  /**
   * Renews the leases of the holder, and confirms that it has the token of the issue that its request names.
   * @param reference id or key
   */
  async renew(agent: AgentPrincipal, holder: LeaseHolder, reference: string | null = null): Promise<void> {
    if (agent.lease || agent.disabled) return;
    if (await this.leases.renew(agent.id, holder, reference)) await this.leases.markSeen(agent.id);
  }

  /** Renews the leases of a session with a request that does not depend on them. */
  async renewOfSession(agent: AgentPrincipal, session: string): Promise<void> {
    try {
      await this.renew(agent, { session, worker: null });
    } catch (error) {
      this.log.warn(
        `The leases of a session could not be renewed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
