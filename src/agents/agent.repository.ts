import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import type { Principal } from '../platform/authentication/principals-and-roles.js';
import { Settings } from '../platform/config/settings.js';
import {
  type AgentStanding,
  type Failing,
  HIDDEN_REASON,
  IS_FAILING,
  standingColumns,
  worksHidden,
} from './agent-failures-over-budget-and-why.service.js';
import { Agent } from './agent.entity.js';
import { type SeenProjects, SeenProjectsService } from './seen-projects.service.js';
import { type RecentUsage, recentUsageOf, seenUsageOf } from './usage-figures.response.js';

/** An agent with what it does. A retired one keeps its row, so that its name stays in the records. */
export type AgentRow = Agent & {
  /** How many issues the agent works on now: its live leases. */
  activeIssues: number;
  failing: Failing | null;
  usage: RecentUsage;
};

/** An agent as a caller sees it, with what decides how it is. */
export type SeenAgentRow = AgentRow & AgentStanding;

/** An agent without its work, which the fleet reads of all agents at once. */
export type StandingAgentRow = Omit<SeenAgentRow, 'activeIssues' | 'usage'>;

/** What an agent has in all projects, or in those that a caller sees, as SQL. */
interface WorkColumns {
  activeIssues: string;
  reason: string;
  usage: string;
}

/** What one agent says of itself. @param reason SQL of why it fails, as the caller may read it */
const ownColumns = (reason: string) => `
  a.id, a.name, a.description, a.max_concurrent_issues AS "maxConcurrentIssues", a.disabled,
  a.tools_require_lease AS "toolsRequireLease", a.retired_at AS "retiredAt", a.last_heartbeat_at AS "lastHeartbeatAt",
  (SELECT json_build_object('worker', f.worker, 'reason', ${reason}, 'since', f.since)
   FROM agent_failures f WHERE f.agent_id = a.id AND ${IS_FAILING}) AS failing,
  a.created_at AS "createdAt", a.updated_at AS "updatedAt"`;

const columnsWith = ({ activeIssues, reason, usage }: WorkColumns) => `
  ${ownColumns(reason)}, (SELECT count(*)::int FROM ${activeIssues}) AS "activeIssues", ${usage} AS usage`;

const LIVE = 'WHERE live.agent_id = a.id AND live.expires_at > now()';

/** Columns of `AgentRow`, over `agents a`. */
export const AGENT_COLUMNS = columnsWith({
  activeIssues: `issue_leases live ${LIVE}`,
  reason: 'f.reason',
  usage: recentUsageOf('agent', 'a.id'),
});

const seenReason = ({ membership, seen }: SeenProjects) =>
  `CASE WHEN ${worksHidden('a.id', membership, `NOT (${seen})`)} THEN '${HIDDEN_REASON}' ELSE f.reason END`;

/** The same for a caller from whom some projects are hidden: figures and texts say nothing of those (contract §2.2). */
const seenColumns = ({ membership, seen, parameters }: SeenProjects) =>
  columnsWith({
    activeIssues: `issue_leases live JOIN issues i ON i.id = live.issue_id
      JOIN projects p ON p.id = i.project_id ${membership} ${LIVE} AND ${seen}`,
    reason: seenReason({ membership, seen, parameters }),
    usage: seenUsageOf('a.id', { membership, seen }),
  });

/** Beside what TypeORM gives, the statements about agents that stay SQL (decision 0053). */
@Injectable()
export class AgentRepository extends Repository<Agent> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly projects: SeenProjectsService,
    private readonly settings: Settings,
  ) {
    super(Agent, source.manager);
  }

  /** SQL: visibility in the same read. Returns all agents, each with what the caller sees of its work. */
  list(caller: Principal): Promise<SeenAgentRow[]> {
    const { columns, parameters } = this.seenBy(caller, 1);
    return this.query(
      `SELECT ${columns} FROM agents a WHERE a.retired_at IS NULL ORDER BY a.created_at, a.id`,
      parameters,
    );
  }

  /** SQL: as `list`, without the figures that it reads agent by agent. */
  listStanding(caller: Principal): Promise<StandingAgentRow[]> {
    const seen = this.projects.rule(caller, 'p', 1);
    const parameters = seen?.parameters ?? [];
    const columns = ownColumns(seen ? seenReason(seen) : 'f.reason');
    return this.query(
      `SELECT ${columns}, ${standingColumns(`$${parameters.length + 1}::float8`)}
       FROM agents a WHERE a.retired_at IS NULL ORDER BY a.created_at, a.id`,
      [...parameters, this.settings.leaseSeconds],
    );
  }

  /** SQL: visibility in the same read. Returns an agent with what the caller sees of its work. An agent sees all of its own. */
  async findFor(caller: Principal, id: string): Promise<SeenAgentRow | null> {
    const { columns, parameters } = this.seenBy(caller, 2);
    const [agent] = await this.query<SeenAgentRow[]>(
      `SELECT ${columns} FROM agents a WHERE a.id = $1 AND a.retired_at IS NULL`,
      [id, ...parameters],
    );
    return agent ?? null;
  }

  /** SQL: figures of tables of other modules in the same read. */
  async findById(id: string): Promise<SeenAgentRow | null> {
    const [agent] = await this.query<SeenAgentRow[]>(
      `SELECT ${AGENT_COLUMNS}, ${standingColumns('$2::float8')} FROM agents a WHERE a.id = $1 AND a.retired_at IS NULL`,
      [id, this.settings.leaseSeconds],
    );
    return agent ?? null;
  }

  private seenBy(caller: Principal, from: number): { columns: string; parameters: unknown[] } {
    const seen = caller.type === 'agent' ? null : this.projects.rule(caller, 'p', from);
    const parameters = seen?.parameters ?? [];
    // An agent that sends nothing for as long as a lease lasts is silent.
    const standing = standingColumns(`$${from + parameters.length}::float8`);
    return {
      columns: `${seen ? seenColumns(seen) : AGENT_COLUMNS}, ${standing}`,
      parameters: [...parameters, this.settings.leaseSeconds],
    };
  }

  /** Locks the agent's row. Changes of the agent and handing it work take the same lock. */
  async lock(id: string): Promise<SeenAgentRow | null> {
    await this.findOne({ select: { id: true }, where: { id }, lock: { mode: 'for_no_key_update' } });
    return this.findById(id);
  }

  /**
   * Retires the agent, and ends its leases, memberships and grants. Its keys are deleted by the caller.
   * SQL: the entities of what ends are in modules above this one.
   */
  async retire(id: string): Promise<void> {
    const now = () => 'now()';
    await this.update({ id }, { retiredAt: now, disabled: true, updatedAt: now });
    await this.query('UPDATE issue_leases SET expires_at = NULL, measured_at = NULL WHERE agent_id = $1', [
      id,
    ]);
    for (const table of ['project_members', 'server_access', 'access_profile_agents', 'access_refusals'])
      await this.query(`DELETE FROM ${table} WHERE agent_id = $1`, [id]);
  }
}
