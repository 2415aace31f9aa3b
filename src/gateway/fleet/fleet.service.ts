import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import {
  type AgentReason,
  type AgentWhy,
  agentWhyOf,
} from '../../agents/agent-failures-over-budget-and-why.service.js';
import { Agent } from '../../agents/agent.entity.js';
import { AgentRepository, type StandingAgentRow } from '../../agents/agent.repository.js';
import {
  figuresOf,
  sumOf,
  type UsageFigures,
  type UsagePeriod,
} from '../../agents/usage-figures.response.js';
import type { CallOutcome } from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import { OUTCOME_OF_ROW } from '../../mcp/server-tools/tool-call-records-and-retention.repository.js';
import { isAtLeast, type Principal, rankOf } from '../../platform/authentication/principals-and-roles.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import {
  JournalMonthsService,
  projectOfIssue,
} from '../../platform/journal/journal-rows-and-months.repository.js';
import type { Measure } from '../../work/budgets/budget-limits-and-amounts.js';
import { BUDGET_LIMITS, BUDGET_USED, budgetsOf } from '../../work/budgets/budget.repository.js';
import { type Visibility, visibilityOf } from '../../work/projects/visibility.js';

/** The hours of `activity`, the present one included. */
export const ACTIVITY_HOURS = 24;

/** The longest line of output that a row of the fleet shows, in characters. */
const LINE_MAX = 200;

/** The statuses with which an agent ends its work on an issue. */
export const ENDS = `('PendingReview', 'Resolved', 'Closed')`;

const errorOutcomes: CallOutcome[] = ['tool_error', 'refused', 'timeout', 'unavailable', 'unknown'];

/** SQL of the outcomes that count as errors: all but success, and calls that their agent ended itself. */
export const ERROR_OUTCOMES = `('${errorOutcomes.join("', '")}')`;

const HOUR = `date_trunc('hour', now(), 'UTC')`;

/** SQL for the turns and tool calls of rows `u` in each of the last hours, the present one last. */
const ACTIVITY = `ARRAY[${Array.from(
  { length: ACTIVITY_HOURS },
  (_, at) =>
    `coalesce(sum(u.turns + u.tool_calls) FILTER (WHERE u.ago = ${ACTIVITY_HOURS - 1 - at}), 0)::float8`,
).join(', ')}]`;

/** What an agent used since an instant, and how busy it was in the last 24 hours. */
export interface UsedRow {
  agentId: string;
  usage: UsageFigures;
  activity: number[];
}

/** The issue of an agent whose worker reported last, with the last line of its output. */
export interface CurrentIssue {
  id: string;
  key: string;
  title: string;
  /** When the work on it began; as JSON has it. */
  since: string;
  line: string | null;
}

/** The issues that an agent holds a live lease of. */
export interface WorkRow {
  agentId: string;
  activeIssues: number;
  current: CurrentIssue;
}

/** The budget of an agent in its present period. */
export interface BudgetOfAgent {
  agentId: string;
  period: UsagePeriod;
  used: Record<Measure, number>;
  /** With what was added in the period. */
  limits: Record<Measure, number | null>;
  /** Whether a limit is reached, so that the agent gets no work. */
  stopped: boolean;
}

type Counted<Name extends string> = { agentId: string } & Record<Name, number>;

/** A gate without an issue is seen by Admins, as in attention (contract §8.7). @param rank placeholder of the caller's */
export const seesGate = ({ seen }: Pick<Visibility, 'seen'>, rank: string): string =>
  `CASE WHEN g.issue_id IS NULL THEN ${rank}::int >= ${rankOf('Admin')} ELSE ${seen} END`;

/**
 * Reads what all agents do, one statement for each kind of figure, whatever the number of agents. Each reads the rows of
 * the window or of the present by an index, and none those of the past, so that their cost does not grow with the tables.
 */
@Injectable()
export class FleetRepository {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly months: JournalMonthsService,
  ) {}

  /**
   * The offset keeps the age of a row from being computed in each of the filters, which takes three times as long for a
   * thousand agents.
   * @param agentId limits it to one agent; null for all
   */
  used(caller: Principal, since: Date, agentId: string | null = null): Promise<UsedRow[]> {
    const { membership, seen, parameters } = visibilityOf(caller, 'p', 3);
    return this.source.query(
      `SELECT u.agent_id AS "agentId", ${figuresOf(' FILTER (WHERE u.hour >= $1::timestamptz)')} AS usage, ${ACTIVITY} AS activity
       FROM (SELECT used.*, (extract(epoch FROM ${HOUR} - used.hour) / 3600)::int AS ago FROM usage_hours used
             WHERE used.hour >= least($1::timestamptz, ${HOUR} - interval '${ACTIVITY_HOURS - 1} hours')
               AND ($2::uuid IS NULL OR used.agent_id = $2::uuid) OFFSET 0) AS u
       LEFT JOIN projects p ON p.id = u.project_id ${membership} WHERE u.project_id IS NULL OR ${seen}
       GROUP BY u.agent_id`,
      [since, agentId, ...parameters],
    );
  }

  /** Only an issue in progress has a live lease, and the index of statuses has few of those. */
  work(caller: Principal): Promise<WorkRow[]> {
    const { membership, seen, parameters } = visibilityOf(caller, 'p', 1);
    return this.source.query(
      `SELECT l.agent_id AS "agentId", count(*)::int AS "activeIssues",
              (array_agg(json_build_object('id', i.id, 'key', p.key || '-' || i.number, 'title', i.title, 'since', i.status_since,
                 'line', nullif(left(split_part(rtrim(r.output, E' \\t\\r\\n'), E'\\n', -1), ${LINE_MAX}), ''))
                 ORDER BY r.reported_at DESC NULLS LAST, i.status_since DESC, i.id))[1] AS current
       FROM issues i JOIN issue_leases l ON l.issue_id = i.id AND l.expires_at > now()
       JOIN projects p ON p.id = i.project_id ${membership}
       LEFT JOIN issue_runs r ON r.issue_id = i.id AND r.token = l.token
       WHERE i.status COLLATE "C" = 'InProgress' AND ${seen} GROUP BY l.agent_id`,
      parameters,
    );
  }

  /** How many issues each agent has handed in or ended, each counted once. */
  async finished(caller: Principal, since: Date): Promise<Counted<'finished'>[]> {
    const { membership, seen, parameters } = visibilityOf(caller, 'p', 3);
    return this.source.query(
      `SELECT j.actor_id AS "agentId", count(DISTINCT j.issue_id)::int AS finished
       FROM journal j LEFT JOIN projects p ON p.id = j.project_id ${membership}
       WHERE j.type = 'issue.status_changed' AND j.position >= $2::bigint AND j.created_at >= $1::timestamptz
         AND j.actor_type = 'agent' AND j.data->>'new' IN ${ENDS} AND ${seen} GROUP BY j.actor_id`,
      [since, (await this.months.window(since, undefined)).first, ...parameters],
    );
  }

  /** The calls of each agent that ended with an error. The project of a deleted issue still decides who sees them. */
  toolErrors(caller: Principal, since: Date): Promise<Counted<'toolErrors'>[]> {
    const { membership, seen, parameters } = visibilityOf(caller, 'p', 2);
    return this.source.query(
      `SELECT c.agent_id AS "agentId", count(*)::int AS "toolErrors"
       FROM tool_calls c LEFT JOIN projects p ON p.id = ${projectOfIssue('c.issue_id')} ${membership}
       WHERE ${OUTCOME_OF_ROW} IN ${ERROR_OUTCOMES} AND c.called_at >= $1::timestamptz AND c.agent_id IS NOT NULL
         AND (c.issue_id IS NULL OR ${seen}) GROUP BY c.agent_id`,
      [since, ...parameters],
    );
  }

  /** How many open gates each agent has: questions, approvals, and that of its budget. */
  waiting(caller: Principal): Promise<Counted<'waiting'>[]> {
    const visibility = visibilityOf(caller, 'p', 1);
    return this.source.query(
      `SELECT g.agent_id AS "agentId", count(*)::int AS waiting
       FROM gates g LEFT JOIN projects p ON p.id = g.project_id ${visibility.membership}
       WHERE g.state = 'open' AND g.kind <> 'checks' AND g.agent_id IS NOT NULL AND ${seesGate(visibility, '$2')} GROUP BY g.agent_id`,
      visibility.parameters,
    );
  }

  /** The budgets of agents. Who may read them is decided by the caller of this. @param agentId null for all agents */
  budgets(agentId: string | null = null): Promise<BudgetOfAgent[]> {
    return this.source.query(
      `SELECT b.scope_id AS "agentId", b.period, ${BUDGET_USED} AS used, ${BUDGET_LIMITS} AS limits,
              b.stopped_on IS NOT DISTINCT FROM current.start AS stopped
       FROM ${budgetsOf('b')} WHERE b.scope = 'agent' AND ($1::uuid IS NULL OR b.scope_id = $1::uuid)`,
      [agentId],
    );
  }
}

const HOUR_MS = 3_600_000;

/** The longest window: a week, which one reads in a moment and which covers a weekend. */
const MOST_DAYS = 7;

/** What a window begins with: usage is counted in whole hours, so that everything else is counted from there too. */
export function windowFrom(given: Date | undefined, now = Date.now()): Date {
  if (given === undefined) return new Date(new Date(now).setUTCHours(0, 0, 0, 0));
  if (given.getTime() > now || given.getTime() < now - MOST_DAYS * 24 * HOUR_MS)
    throw new ValidationFailed([
      { path: 'since', message: `must lie in the past, by at most ${MOST_DAYS} days` },
    ]);
  return new Date(Math.floor(given.getTime() / HOUR_MS) * HOUR_MS);
}

/** One agent of the fleet. */
export interface FleetAgent extends Omit<StandingAgentRow, 'budget'> {
  why: AgentWhy;
  activeIssues: number;
  current: CurrentIssue | null;
  usage: UsageFigures;
  activity: number[];
  finished: number;
  toolErrors: number;
  waiting: number;
  budget: BudgetOfAgent | null;
}

/** In which of the counts of the fleet an agent is, by its reason. */
const standings = {
  running: 'atWork',
  agent_full: 'atWork',
  ready: 'idle',
  agent_disabled: 'stopped',
  halted: 'stopped',
  budget: 'stopped',
  agent_failing: 'stopped',
  agent_never_seen: 'silent',
  agent_silent: 'silent',
} as const satisfies Record<AgentReason, string>;

export type FleetSums = Record<(typeof standings)[AgentReason], number> &
  Record<'agents' | 'finished' | 'toolErrors' | 'waiting', number> & { usage: UsageFigures };

export interface Fleet {
  since: Date;
  sums: FleetSums;
  agents: FleetAgent[];
}

/** Of an agent that used nothing. */
export const nothing: Pick<UsedRow, 'usage' | 'activity'> = {
  usage: sumOf([]),
  activity: Array<number>(ACTIVITY_HOURS).fill(0),
};

/** Shows what all agents do and have done, as far as the caller sees it (contract §4.2). */
@Injectable()
export class FleetService {
  constructor(
    @InjectRepository(Agent) private readonly agents: AgentRepository,
    private readonly fleet: FleetRepository,
  ) {}

  /** @throws {ValidationFailed} for a window that is too long, or begins in the future */
  async of(caller: Principal, given?: Date): Promise<Fleet> {
    const since = windowFrom(given);
    const standing = await this.agents.listStanding(caller);
    const used = byAgent(await this.fleet.used(caller, since));
    const work = byAgent(await this.fleet.work(caller));
    const finished = byAgent(await this.fleet.finished(caller, since));
    const errors = byAgent(await this.fleet.toolErrors(caller, since));
    const waiting = byAgent(await this.fleet.waiting(caller));
    const budgets = byAgent(seesBudgets(caller) ? await this.fleet.budgets() : []);
    const agents = standing.map((row): FleetAgent => {
      const { activeIssues = 0, current = null } = work.get(row.id) ?? {};
      const { usage, activity } = used.get(row.id) ?? nothing;
      return {
        ...row,
        ...{ activeIssues, current, usage, activity, why: agentWhyOf({ ...row, activeIssues }) },
        finished: finished.get(row.id)?.finished ?? 0,
        toolErrors: errors.get(row.id)?.toolErrors ?? 0,
        waiting: waiting.get(row.id)?.waiting ?? 0,
        budget: budgets.get(row.id) ?? null,
      };
    });
    return { since, sums: sumsOf(agents), agents };
  }
}

const byAgent = <Row extends { agentId: string }>(rows: Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.agentId, row]));

/** The budget of an agent counts what it uses in all projects, and so is for those who see all of them (contract §7.8). */
export const seesBudgets = (caller: Principal): boolean =>
  caller.type === 'user' && isAtLeast(caller.role, 'Admin');

export const total = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

function sumsOf(agents: FleetAgent[]): FleetSums {
  const sums = { atWork: 0, idle: 0, stopped: 0, silent: 0 };
  for (const { why } of agents) sums[standings[why.reason]] += 1;
  return {
    ...sums,
    agents: agents.length,
    finished: total(agents, ({ finished }) => finished),
    toolErrors: total(agents, ({ toolErrors }) => toolErrors),
    waiting: total(agents, ({ waiting }) => waiting),
    usage: sumOf(agents.map(({ usage }) => usage)),
  };
}
