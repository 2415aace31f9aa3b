import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { COUNT_LIMIT } from '../../platform/http/page-and-cursor.query.js';
import { issuesBehind } from '../issue-status/issue-dependencies.repository.js';
import { type Status, statuses } from '../issue-status/issue-status.js';
import { visibilityOf } from '../projects/visibility.js';
import { conditionsOf, type IssueFilter, UNFINISHED_BLOCKERS } from './issue-filter-and-order.js';
import { searched } from './issue-search.js';
import type { Grouping } from './list-issues-and-activity.query.js';

/** Some of the issues of a list: those with one status, agent, goal or label, the parts of one issue, or those that wait for it. */
export interface IssueGroup {
  /** A status, or the id of the agent, goal, label or issue; null for the issues that have none. */
  value: string | null;
  /** The name of an agent or label, the title of a goal or issue. */
  name?: string | null;
  /** Key and status of an issue. */
  key?: string | null;
  status?: Status | null;
  issues: number;
}

export interface IssueGroups {
  groups: IssueGroup[];
  /** How many issues match. */
  total: number;
  /** Whether counting stopped, so that there are more issues or groups than these. */
  capped: boolean;
}

const UNFINISHED = ['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview'] as const;

/** How many unfinished issues a project has, by status; those that wait for a person count among the waiting ones. */
export interface ProjectCounts {
  projectId: string;
  counts: Record<(typeof UNFINISHED)[number], number>;
  onPerson: number;
}

/** As many as a page of the list of projects has. */
const MOST_PROJECTS = 1_000;
/** The most groups of a response. */
const MOST_GROUPS = 200;
/** The most pairs of a root and an issue behind it. The issues nearest to their root are counted first. */
const MOST_PAIRS = 50_000;

const OF_ISSUE = {
  columns: `b.title AS name, bp.key || '-' || b.number AS key, b.status`,
  from: 'LEFT JOIN issues b ON b.id = counted.value LEFT JOIN projects bp ON bp.id = b.project_id',
};

/**
 * Unfinished issues that wait for no other, each with what waits for it, directly or through others. They are found upwards
 * from what waits, which reads each issue once, and then the issues behind them, which reads a pair of both once.
 */
const ROOTS = `
  above(id) AS (
    SELECT id FROM matching WHERE status = 'WaitingOnDependency'
    UNION
    SELECT next.id FROM above CROSS JOIN LATERAL (SELECT b.id FROM ${UNFINISHED_BLOCKERS.replaceAll('i.id', 'above.id')} OFFSET 0) AS next),
  roots AS (
    SELECT i.id FROM above JOIN issues i ON i.id = above.id
    WHERE i.status <> 'WaitingOnDependency' OR NOT EXISTS (SELECT 1 FROM ${UNFINISHED_BLOCKERS})),
  ${issuesBehind('(SELECT id, id FROM roots)')},`;

/** For each grouping the values of the CTE `matching`, one row for each issue of each group, and what names a group. */
const GROUPS: Record<
  Grouping,
  { before?: string; values: string; columns?: string; from?: string; isCut?: string }
> = {
  status: { values: 'SELECT status AS value FROM matching' },
  agent: {
    values: 'SELECT assigned_agent_id AS value FROM matching',
    columns: 'agents.name',
    from: 'LEFT JOIN agents ON agents.id = counted.value',
  },
  goal: {
    values: 'SELECT goal_id AS value FROM matching',
    columns: 'goals.title AS name',
    from: 'LEFT JOIN goals ON goals.id = counted.value',
  },
  label: {
    values: 'SELECT has.label_id AS value FROM matching i LEFT JOIN issue_labels has ON has.issue_id = i.id',
    columns: 'labels.name',
    from: 'LEFT JOIN labels ON labels.id = counted.value',
  },
  parent: { values: 'SELECT parent_id AS value FROM matching', ...OF_ISSUE },
  blocker: {
    values: `SELECT blocker.id AS value FROM matching i LEFT JOIN LATERAL (
      SELECT b.id FROM ${UNFINISHED_BLOCKERS} AND i.status = 'WaitingOnDependency') AS blocker ON true`,
    ...OF_ISSUE,
  },
  root: {
    before: ROOTS,
    values: `SELECT pair.root AS value FROM (SELECT * FROM behind LIMIT ${MOST_PAIRS}) AS pair
      JOIN matching ON matching.id = pair.issue_id WHERE pair.root <> pair.issue_id`,
    isCut: `(SELECT count(*) FROM (SELECT 1 FROM behind LIMIT ${MOST_PAIRS + 1}) AS pair) > ${MOST_PAIRS}`,
    ...OF_ISSUE,
  },
};

/** How many issues of a project there are, by what they have or wait for (contract §4.1, §5.2). */
@Injectable()
export class IssueCountsRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** Counts the issues of a project by status, from an index alone. A status without issues is missing. */
  byStatus(projectId: string): Promise<{ status: Status; issues: number }[]> {
    return this.source.query(
      `SELECT status, count(*)::int AS issues FROM issues WHERE project_id = $1 GROUP BY status`,
      [projectId],
    );
  }

  /** Counts the issues of a project that wait for a decision or answer of a person. */
  async onPerson(projectId: string): Promise<number> {
    const [row] = await this.source.query<{ issues: number }[]>(
      `SELECT count(DISTINCT issue_id)::int AS issues FROM gates WHERE project_id = $1 AND holds AND kind <> 'checks'`,
      [projectId],
    );
    return row!.issues;
  }

  /** Counts the issues of a project that match a filter by what they have, in one statement, the largest group first. */
  async byGroup(caller: Principal, filter: IssueFilter, by: Grouping): Promise<IssueGroups> {
    const visibility = visibilityOf(caller, 'p', 1);
    const parameters = filter.q === undefined ? [] : [...visibility.parameters];
    const bind = (value: unknown) => `$${parameters.push(value)}`;
    const issues = filter.q === undefined ? 'issues' : searched(filter, visibility, bind, false);
    const { before = '', values, columns, from = '', isCut = 'false' } = GROUPS[by];
    const rows = await this.source.query<(IssueGroup & { total: number; isCut: boolean })[]>(
      `WITH RECURSIVE matching AS MATERIALIZED (
         SELECT i.id, i.status, i.assigned_agent_id, i.goal_id, i.parent_id FROM ${issues} i
         WHERE ${conditionsOf(filter, bind).join(' AND ')} LIMIT ${COUNT_LIMIT + 1}),
       ${before}
       counted AS (
         SELECT value, count(*)::int AS issues FROM (${values}) AS found GROUP BY value
         ORDER BY value IS NULL, count(*) DESC, value LIMIT ${MOST_GROUPS + 1})
       SELECT counted.value, counted.issues${columns ? `, ${columns}` : ''}, known.total, ${isCut} AS "isCut"
       FROM (SELECT count(*)::int AS total FROM matching) AS known LEFT JOIN counted ON true ${from} ORDER BY counted.value IS NULL, counted.issues DESC, counted.value`,
      parameters,
    );
    const { total, isCut: isCutOff } = rows[0]!;
    return {
      // Where there is no group, the one row has the total alone.
      groups: rows.filter(({ issues: count }) => count !== null).slice(0, MOST_GROUPS),
      total: Math.min(total, COUNT_LIMIT),
      capped: total > COUNT_LIMIT || rows.length > MOST_GROUPS || isCutOff,
    };
  }

  /**
   * Counts the issues of a project that match a filter in each status, each up to the limit of counts: from an index alone
   * where the filter has nothing else.
   */
  async inEachStatus({ status: wanted, ...filter }: IssueFilter): Promise<IssueGroups> {
    const parameters: unknown[] = [wanted ?? statuses];
    const bind = (value: unknown) => `$${parameters.push(value)}`;
    const groups = await this.source.query<IssueGroup[]>(
      `SELECT named.status AS value, counted.issues FROM unnest($1::text[]) WITH ORDINALITY AS named(status, place)
       CROSS JOIN LATERAL (SELECT count(*)::int AS issues FROM (
         SELECT 1 FROM issues i WHERE i.status = named.status AND ${conditionsOf(filter, bind).join(' AND ')}
         LIMIT ${COUNT_LIMIT + 1}) AS found) AS counted ORDER BY named.place`,
      parameters,
    );
    const counts = groups.map((group) => ({ ...group, issues: Math.min(group.issues, COUNT_LIMIT) }));
    return {
      groups: counts,
      total: counts.reduce((sum, { issues }) => sum + issues, 0),
      capped: groups.some(({ issues }) => issues > COUNT_LIMIT),
    };
  }

  /** Counts the unfinished issues of each project that the caller sees, oldest first, from an index alone. */
  async ofProjects(caller: Principal): Promise<ProjectCounts[]> {
    const { membership, seen, parameters } = visibilityOf(caller, 'p', 1);
    const counts = UNFINISHED.map(
      (status) => `'${status}', (SELECT count(*) FROM (SELECT 1 FROM issues i
        WHERE i.project_id = p.id AND i.status = '${status}' LIMIT ${COUNT_LIMIT}) AS found)`,
    );
    return this.source.query(
      `SELECT p.id AS "projectId", json_build_object(${counts.join()}) AS counts,
         (SELECT count(DISTINCT g.issue_id)::int FROM gates g WHERE g.project_id = p.id AND g.holds AND g.kind <> 'checks') AS "onPerson"
       FROM projects p ${membership} WHERE ${seen} ORDER BY p.created_at, p.id LIMIT ${MOST_PROJECTS}`,
      parameters,
    );
  }
}
