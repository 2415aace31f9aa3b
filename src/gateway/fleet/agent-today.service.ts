import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AgentsService } from '../../agents/agents.service.js';
import { FIGURES, sumOf, type UsageFigures } from '../../agents/usage-figures.response.js';
import { OUTCOME_OF_ROW } from '../../mcp/server-tools/tool-call-records-and-retention.repository.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import {
  JournalMonthsService,
  projectOfIssue,
} from '../../platform/journal/journal-rows-and-months.repository.js';
import type { GateState, Status } from '../../work/issue-status/issue-status.js';
import { visibilityOf } from '../../work/projects/visibility.js';
import {
  type BudgetOfAgent,
  ENDS,
  ERROR_OUTCOMES,
  FleetRepository,
  nothing,
  seesBudgets,
  seesGate,
  total,
  windowFrom,
} from './fleet.service.js';

/** The most issues, and the most questions, that a day lists. The sums are of all. */
const MOST_LISTED = 200;
/** The most tools that are named of an issue. */
const MOST_TOOLS = 5;

/** Whose day is read, by whom, and from when on. */
interface Day {
  caller: Principal;
  agentId: string;
  since: Date;
}

/** A row of an issue; null for what was done without one. */
interface OfIssue {
  issueId: string | null;
}

interface UsageOfIssue extends OfIssue {
  usage: UsageFigures;
  /** The last hour with usage. */
  at: Date;
}

/** When the agent picked an issue up, first, and when it ended its work on it, last; of one of the two at least. */
interface WorkOnIssue extends OfIssue {
  pickedUpAt: Date | null;
  finishedAt: Date | null;
  finishedAs: Status | null;
  at: Date;
}

interface CalledTool extends OfIssue {
  server: string;
  tool: string;
  calls: number;
  errors: number;
  /** When it was last called. */
  at: Date;
}

/** What the agent asked a person. */
interface AskedRow extends OfIssue {
  id: string;
  kind: 'question' | 'approval';
  title: string;
  state: GateState;
  at: Date;
  closedAt: Date | null;
}

interface IssueOfDay {
  id: string;
  key: string;
  title: string;
  status: Status;
}

/**
 * Reads what one agent did since an instant, by issue. Each statement reads the agent's rows of the window by an index
 * that holds agent and time.
 */
@Injectable()
export class AgentTodayRepository {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly months: JournalMonthsService,
  ) {}

  usage({ caller, agentId, since }: Day): Promise<UsageOfIssue[]> {
    const { membership, seen, parameters } = visibilityOf(caller, 'p', 3);
    return this.source.query(
      `SELECT u.issue_id AS "issueId", ${FIGURES} AS usage, max(u.hour) AS at
       FROM usage_hours u LEFT JOIN projects p ON p.id = u.project_id ${membership}
       WHERE u.agent_id = $1 AND u.hour >= $2::timestamptz AND (u.project_id IS NULL OR ${seen}) GROUP BY u.issue_id`,
      [agentId, since, ...parameters],
    );
  }

  async work({ caller, agentId, since }: Day): Promise<WorkOnIssue[]> {
    const { membership, seen, parameters } = visibilityOf(caller, 'p', 4);
    const ends = `j.type = 'issue.status_changed'`;
    return this.source.query(
      `SELECT j.issue_id AS "issueId", min(j.created_at) FILTER (WHERE j.type = 'issue.picked_up') AS "pickedUpAt",
              max(j.created_at) FILTER (WHERE ${ends}) AS "finishedAt", max(j.created_at) AS at,
              (array_agg(j.data->>'new' ORDER BY j.position DESC) FILTER (WHERE ${ends}))[1] AS "finishedAs"
       FROM journal j LEFT JOIN projects p ON p.id = j.project_id ${membership}
       WHERE j.actor_id = $1 AND j.position >= $3::bigint AND j.created_at >= $2::timestamptz
         AND (j.type = 'issue.picked_up' OR (${ends} AND j.data->>'new' IN ${ENDS})) AND ${seen} GROUP BY j.issue_id`,
      [agentId, since, (await this.months.window(since, undefined)).first, ...parameters],
    );
  }

  /** The project of a deleted issue still decides who sees its calls. */
  calls({ caller, agentId, since }: Day): Promise<CalledTool[]> {
    const { membership, seen, parameters } = visibilityOf(caller, 'p', 3);
    return this.source.query(
      `SELECT c.issue_id AS "issueId", c.server_name AS server, c.tool, count(*)::int AS calls, max(c.called_at) AS at,
              (count(*) FILTER (WHERE ${OUTCOME_OF_ROW} IN ${ERROR_OUTCOMES}))::int AS errors
       FROM tool_calls c LEFT JOIN projects p ON p.id = ${projectOfIssue('c.issue_id')} ${membership}
       WHERE c.agent_id = $1 AND c.called_at >= $2::timestamptz AND (c.issue_id IS NULL OR ${seen})
       GROUP BY c.issue_id, c.server_name, c.tool`,
      [agentId, since, ...parameters],
    );
  }

  /** The newest first. A gate of a budget is no question of the agent. */
  asked({ caller, agentId, since }: Day): Promise<AskedRow[]> {
    const visibility = visibilityOf(caller, 'p', 3);
    return this.source.query(
      `SELECT g.id, g.kind, g.title, g.state, g.issue_id AS "issueId", g.created_at AS at, g.closed_at AS "closedAt"
       FROM gates g LEFT JOIN projects p ON p.id = g.project_id ${visibility.membership}
       WHERE g.agent_id = $1 AND g.created_at >= $2::timestamptz AND g.kind IN ('question', 'approval')
         AND ${seesGate(visibility, '$4')} ORDER BY g.created_at DESC, g.id DESC`,
      [agentId, since, ...visibility.parameters],
    );
  }

  /** Those of these issues that exist. The caller sees their projects, or the rows above would not name them. */
  issues(ids: string[]): Promise<IssueOfDay[]> {
    return this.source.query(
      `SELECT i.id, p.key || '-' || i.number AS key, i.title, i.status
       FROM issues i JOIN projects p ON p.id = i.project_id WHERE i.id = ANY($1::uuid[])`,
      [ids],
    );
  }
}

/** What an agent did on one issue, or without one. */
export interface TodayRow {
  issueId: string | null;
  /** null without an issue, and for one that was deleted. */
  issue: IssueOfDay | null;
  pickedUpAt: Date | null;
  finishedAt: Date | null;
  finishedAs: WorkOnIssue['finishedAs'];
  asked: number;
  calls: number;
  toolErrors: number;
  tools: CalledTool[];
  usage: UsageFigures;
}

interface TodaySums {
  issues: number;
  pickedUp: number;
  finished: number;
  asked: number;
  calls: number;
  toolErrors: number;
  usage: UsageFigures;
}

export interface AgentToday {
  since: Date;
  sums: TodaySums;
  activity: number[];
  budget: BudgetOfAgent | null;
  issues: TodayRow[];
  asked: (AskedRow & { issueKey: string | null })[];
}

/** Shows what one agent did: picked up, finished, asked, called and spent, by issue (contract §4.2). */
@Injectable()
export class AgentTodayService {
  constructor(
    private readonly agents: AgentsService,
    private readonly today: AgentTodayRepository,
    private readonly fleet: FleetRepository,
  ) {}

  /** @throws {NotFound | ValidationFailed} for an agent that is not there, or a window that is not allowed */
  async of(caller: Principal, reference: string, given?: Date): Promise<AgentToday> {
    const { id: agentId } = await this.agents.get(caller, reference);
    const since = windowFrom(given);
    const day = { caller, agentId, since };
    const usage = await this.today.usage(day);
    const work = await this.today.work(day);
    const calls = await this.today.calls(day);
    const asked = await this.today.asked(day);
    const rows = rowsOf(usage, work, calls, asked);
    const listed = rows.slice(0, MOST_LISTED);
    const ids = [...listed, ...asked.slice(0, MOST_LISTED)].flatMap(({ issueId }) => issueId ?? []);
    const issues = new Map((await this.today.issues([...new Set(ids)])).map((issue) => [issue.id, issue]));
    const [used] = await this.fleet.used(caller, since, agentId);
    const [budget] = seesBudgets(caller) ? await this.fleet.budgets(agentId) : [];
    const issueOf = ({ issueId }: { issueId: string | null }) => issues.get(issueId ?? '') ?? null;
    return {
      since,
      sums: daySums(rows),
      activity: (used ?? nothing).activity,
      budget: budget ?? null,
      issues: listed.map((row) => ({ ...row, issue: issueOf(row) })),
      asked: asked.slice(0, MOST_LISTED).map((gate) => ({ ...gate, issueKey: issueOf(gate)?.key ?? null })),
    };
  }
}

/**
 * Puts together what was done on each issue, the latest first, and last what was done without one. What was called without
 * an issue is counted and not named: the names are in the records of calls, which need elevated mode.
 */
function rowsOf(
  usage: UsageOfIssue[],
  work: WorkOnIssue[],
  calls: CalledTool[],
  asked: AskedRow[],
): TodayRow[] {
  const latest = new Map<string | null, number>();
  for (const { issueId, at } of [...usage, ...work, ...calls, ...asked])
    latest.set(issueId, Math.max(latest.get(issueId) ?? 0, at.getTime()));
  const [used, worked, called, questions] = [grouped(usage), grouped(work), grouped(calls), grouped(asked)];
  return [...latest]
    .toSorted(([a, atA], [b, atB]) => Number(a === null) - Number(b === null) || atB - atA)
    .map(([issueId]) => {
      const tools = (called.get(issueId) ?? []).toSorted((a, b) => b.calls - a.calls);
      const { pickedUpAt = null, finishedAt = null, finishedAs = null } = worked.get(issueId)?.[0] ?? {};
      return {
        ...{ issueId, issue: null, pickedUpAt, finishedAt, finishedAs },
        asked: questions.get(issueId)?.length ?? 0,
        calls: total(tools, (tool) => tool.calls),
        toolErrors: total(tools, ({ errors }) => errors),
        tools: issueId === null ? [] : tools.slice(0, MOST_TOOLS),
        usage: sumOf((used.get(issueId) ?? []).map((row) => row.usage)),
      };
    });
}

function grouped<Row extends OfIssue>(rows: Row[]): Map<string | null, Row[]> {
  const groups = new Map<string | null, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.issueId);
    if (group) group.push(row);
    else groups.set(row.issueId, [row]);
  }
  return groups;
}

function daySums(rows: TodayRow[]): TodaySums {
  return {
    issues: rows.filter(({ issueId }) => issueId !== null).length,
    pickedUp: rows.filter(({ pickedUpAt }) => pickedUpAt !== null).length,
    finished: rows.filter(({ finishedAt }) => finishedAt !== null).length,
    asked: total(rows, ({ asked }) => asked),
    calls: total(rows, ({ calls }) => calls),
    toolErrors: total(rows, ({ toolErrors }) => toolErrors),
    usage: sumOf(rows.map(({ usage }) => usage)),
  };
}
