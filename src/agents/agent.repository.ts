import { Injectable } from '@nestjs/common';
import type { Principal } from '../platform/authentication/principal.js';
import { Settings } from '../platform/config/settings.js';
import { DatabaseService } from '../platform/database/database.service.js';
import { type AgentFailure, HIDDEN_REASON, IS_FAILING, worksHidden } from './agent-failures.service.js';
import { type AgentStanding, standingColumns } from './agent-why.js';
import { type SeenProjects, SeenProjectsService } from './seen-projects.service.js';
import { type RecentUsage, recentUsageOf, seenUsageOf } from './usage-figures.js';

/** A software agent. A retired one keeps its row, so that its name stays in the records. */
export interface AgentRow {
  id: string;
  name: string;
  description: string;
  maxConcurrentIssues: number;
  disabled: boolean;
  /** Whether it uses the tools of servers only with the key of a lease. */
  toolsRequireLease: boolean;
  retiredAt: Date | null;
  lastHeartbeatAt: Date | null;
  /** How many issues the agent works on now: its live leases. */
  activeIssues: number;
  failing: AgentFailure | null;
  usage: RecentUsage;
  createdAt: Date;
  updatedAt: Date;
}

/** An agent as a caller sees it, with what decides how it is. */
export type SeenAgentRow = AgentRow & AgentStanding;

/** What an update sets; an absent field stays as it is. */
export type AgentChange = Partial<
  Pick<AgentRow, 'name' | 'description' | 'maxConcurrentIssues' | 'disabled' | 'toolsRequireLease'>
>;

/** What an agent has in all projects, or in those that a caller sees, as SQL. */
interface WorkColumns {
  activeIssues: string;
  reason: string;
  usage: string;
}

const columnsWith = ({ activeIssues, reason, usage }: WorkColumns) => `
  a.id, a.name, a.description, a.max_concurrent_issues AS "maxConcurrentIssues", a.disabled,
  a.tools_require_lease AS "toolsRequireLease", a.retired_at AS "retiredAt", a.last_heartbeat_at AS "lastHeartbeatAt",
  (SELECT count(*)::int FROM ${activeIssues}) AS "activeIssues",
  (SELECT json_build_object('worker', f.worker, 'reason', ${reason}, 'since', f.since)
   FROM agent_failures f WHERE f.agent_id = a.id AND ${IS_FAILING}) AS failing,
  ${usage} AS usage, a.created_at AS "createdAt", a.updated_at AS "updatedAt"`;

const LIVE = 'WHERE live.agent_id = a.id AND live.expires_at > now()';

/** Columns of `AgentRow`, over `agents a`. */
export const AGENT_COLUMNS = columnsWith({
  activeIssues: `issue_leases live ${LIVE}`,
  reason: 'f.reason',
  usage: recentUsageOf('agent', 'a.id'),
});

/** The same for a caller from whom some projects are hidden: figures and texts say nothing of those (contract §2.2). */
const seenColumns = ({ membership, seen }: SeenProjects) =>
  columnsWith({
    activeIssues: `issue_leases live JOIN issues i ON i.id = live.issue_id
      JOIN projects p ON p.id = i.project_id ${membership} ${LIVE} AND ${seen}`,
    reason: `CASE WHEN ${worksHidden('a.id', membership, `NOT (${seen})`)} THEN '${HIDDEN_REASON}' ELSE f.reason END`,
    usage: seenUsageOf('a.id', { membership, seen }),
  });

@Injectable()
export class AgentsRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly projects: SeenProjectsService,
    private readonly settings: Settings,
  ) {}

  /** Returns all agents, each with what the caller sees of its work. */
  list(caller: Principal): Promise<SeenAgentRow[]> {
    const { columns, parameters } = this.seenBy(caller, 1);
    return this.database.rows<SeenAgentRow>(
      `SELECT ${columns} FROM agents a WHERE a.retired_at IS NULL ORDER BY a.created_at, a.id`,
      parameters,
    );
  }

  /** Returns an agent with what the caller sees of its work. An agent sees all of its own. */
  findFor(caller: Principal, id: string): Promise<SeenAgentRow | null> {
    const { columns, parameters } = this.seenBy(caller, 2);
    return this.database.row<SeenAgentRow>(
      `SELECT ${columns} FROM agents a WHERE a.id = $1 AND a.retired_at IS NULL`,
      [id, ...parameters],
    );
  }

  findById(id: string): Promise<SeenAgentRow | null> {
    return this.database.row<SeenAgentRow>(
      `SELECT ${AGENT_COLUMNS}, ${standingColumns('$2::float8')} FROM agents a WHERE a.id = $1 AND a.retired_at IS NULL`,
      [id, this.settings.leaseSeconds],
    );
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
    await this.database.rows('SELECT id FROM agents WHERE id = $1 FOR NO KEY UPDATE', [id]);
    return this.findById(id);
  }

  async insert(
    agent: Pick<AgentRow, 'id' | 'name' | 'description' | 'maxConcurrentIssues' | 'toolsRequireLease'>,
  ): Promise<void> {
    await this.database.change(
      `INSERT INTO agents (id, name, description, max_concurrent_issues, tools_require_lease)
       VALUES ($1, $2, $3, $4, $5)`,
      [agent.id, agent.name, agent.description, agent.maxConcurrentIssues, agent.toolsRequireLease],
    );
  }

  async update(id: string, change: AgentChange): Promise<void> {
    await this.database.change(
      `UPDATE agents SET
         name = coalesce($2, name), description = coalesce($3, description),
         max_concurrent_issues = coalesce($4, max_concurrent_issues), disabled = coalesce($5, disabled),
         tools_require_lease = coalesce($6, tools_require_lease), updated_at = now()
       WHERE id = $1`,
      [
        id,
        change.name,
        change.description,
        change.maxConcurrentIssues,
        change.disabled,
        change.toolsRequireLease,
      ],
    );
  }

  /** Retires the agent, and ends its leases, memberships and grants. Its keys are deleted by the caller. */
  async retire(id: string): Promise<void> {
    await this.database.change(
      `UPDATE agents SET retired_at = now(), disabled = true, updated_at = now() WHERE id = $1`,
      [id],
    );
    await this.database.change(
      `UPDATE issue_leases SET expires_at = NULL, measured_at = NULL WHERE agent_id = $1`,
      [id],
    );
    await this.database.change(`DELETE FROM project_members WHERE agent_id = $1`, [id]);
    for (const table of ['server_access', 'access_profile_agents', 'access_refusals'])
      await this.database.change(`DELETE FROM ${table} WHERE agent_id = $1`, [id]);
  }
}
