import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { isHeld, type Standing, type Status } from './issue-status.js';

/** An issue that is not Resolved or Closed and that another one must not leave behind. */
export interface OpenDependent {
  id: string;
  key: string;
  title: string;
  status: Status;
}

/** Finds one issue by its id: cheap for the few issues behind a few roots. */
const statusIsWaiting = (id: string) =>
  `(SELECT i.status FROM issues i WHERE i.id = ${id}) = 'WaitingOnDependency'`;

/** The most waiting issues whose ids a statement keeps: their hash table fits the default `work_mem`. */
const MOST_KEPT = 100_000;

/** A CTE `waiting(id)` with the waiting issues of all projects, for a statement that asks about most of them. */
export const WAITING_ISSUES = `waiting AS MATERIALIZED (
  SELECT id FROM issues WHERE status COLLATE "C" = 'WaitingOnDependency' LIMIT ${MOST_KEPT + 1})`;

/**
 * SQL for whether the issue with an id waits, by the CTE `waiting`: a look into a hash table in place of a row of
 * issues, which takes a third of the time of 11,000 looks. PostgreSQL would search a larger CTE from its beginning each
 * time, so beyond `MOST_KEPT` the rows are read. The CASE keeps the planner from joining the CTE.
 */
export const isAmongWaiting = (id: string): string => `CASE
  WHEN (SELECT count(*) <= ${MOST_KEPT} FROM waiting) THEN ${id} IN (SELECT waiting.id FROM waiting)
  ELSE ${statusIsWaiting(id)} END`;

/**
 * A recursive CTE `behind(root, issue_id)`: every issue that cannot end before an issue of `roots` does, that one
 * included. Each pair is visited once, so a diamond of links costs no more than its edges.
 * Each step reads the links of its own rows by index: a join that the planner may turn into a scan of all issues is
 * repeated for every link of a chain, which took minutes for a chain of 5,000.
 * @param roots SQL that selects a name of the root and the id of its issue
 * @param isWaiting SQL for whether the issue with an id waits
 */
export const issuesBehind = (roots: string, isWaiting = statusIsWaiting) => `behind(root, issue_id) AS (
  ${roots}
  UNION
  SELECT behind.root, next.id FROM behind CROSS JOIN LATERAL (
    SELECT edge.target_issue_id AS id FROM issue_links edge
    WHERE edge.source_issue_id = behind.issue_id AND edge.link_type = 'Blocks'
      AND ${isWaiting('edge.target_issue_id')}
    OFFSET 0) AS next)`;

/**
 * SQL that selects, for used-up budgets of agents and projects, the id of their gate and of each issue that they stop:
 * unfinished ones that are not with people, at most 1,000 for each. Those of an agent count in open projects only, because an
 * issue of a members-only project must not count for those who do not see it.
 * @param gates rows with the columns of `gates`, with an `id` by which the roots are named
 */
export const stoppedByBudgets = (gates: string) => {
  const stopped = (budget: string, issues: string, whose: string) => `
  SELECT g.id, stopped.id AS issue_id FROM ${gates} AS g CROSS JOIN LATERAL (
    SELECT i.id FROM ${issues} WHERE ${whose} AND i.status IN ('Open', 'InProgress', 'WaitingOnDependency') LIMIT 1000) AS stopped
  WHERE g.kind = 'budget' AND g.issue_id IS NULL AND g.agent_id ${budget}`;
  const inOpenProjects = `issues i JOIN projects p ON p.id = i.project_id AND p.visibility = 'open'`;
  return `${stopped('IS NOT NULL', inOpenProjects, 'i.assigned_agent_id = g.agent_id')}
  UNION ${stopped('IS NULL', 'issues i', 'i.project_id = g.project_id')}`;
};

/** An issue that depends on others; its row is locked. */
export interface Dependent extends Standing {
  id: string;
  projectId: string;
}

/** What can block an issue, each kind as a condition on the issue whose id is the SQL `id`. */
const BLOCKERS: readonly ((id: string) => string)[] = [
  // An unresolved issue that a Blocks link leads from, or a child that holds its parent, which has such a row too.
  (id) => `EXISTS (
    SELECT 1 FROM issue_links edge JOIN issues blocker ON blocker.id = edge.source_issue_id
    WHERE edge.target_issue_id = ${id} AND edge.link_type = 'Blocks' AND blocker.status NOT IN ('Resolved', 'Closed'))`,
  // A person's decision or answer that is missing (contract §5.6).
  isHeld,
];

/** Condition: something blocks the issue. @param id SQL of the issue's id */
export const isBlocked = (id: string) => `(${BLOCKERS.map((condition) => condition(id)).join(' OR ')})`;

/** The issues that blocking leads to from issue `$1`, itself included, whatever their status. */
const REACH = `reach(id) AS (
  SELECT $1::uuid
  UNION
  SELECT l.target_issue_id FROM issue_links l JOIN reach ON l.source_issue_id = reach.id AND l.link_type = 'Blocks')`;

/** The most levels of a tree of sub-issues, its top included (contract §5.9). */
export const MOST_LEVELS = 8;

/** The issues below `$1` in the tree of sub-issues, with their level below it. The graph lock keeps a tree as it is. */
const BELOW = `below(id, level) AS (
  SELECT id, 1 FROM issues WHERE parent_id = $1
  UNION ALL
  SELECT child.id, below.level + 1 FROM below JOIN issues child ON child.parent_id = below.id WHERE below.level < ${MOST_LEVELS})`;

/** Which issues block which: an edge goes from the blocker (source) to the blocked issue (target). */
@Injectable()
export class IssueDependenciesRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: three indexes, one statement. Whether the issue blocks another, is blocked, or has children, which its end or deletion may change. */
  async hasEdges(id: string): Promise<boolean> {
    const found = await this.source.query<unknown[]>(
      `SELECT 1 WHERE EXISTS (SELECT 1 FROM issue_links WHERE source_issue_id = $1 AND link_type = 'Blocks')
                   OR EXISTS (SELECT 1 FROM issue_links WHERE target_issue_id = $1 AND link_type = 'Blocks')
                   OR EXISTS (SELECT 1 FROM issues WHERE parent_id = $1)`,
      [id],
    );
    return found.length > 0;
  }

  /** SQL: links and gates. */
  async isBlocked(id: string): Promise<boolean> {
    const found = await this.source.query<unknown[]>(`SELECT 1 WHERE ${isBlocked('$1::uuid')}`, [id]);
    return found.length > 0;
  }

  /** SQL: rows of a module above. Whether a link, not a child, makes one issue block another. */
  async isLinked(blockerId: string, blockedId: string): Promise<boolean> {
    const found = await this.source.query<unknown[]>(
      `SELECT 1 FROM issue_links
       WHERE source_issue_id = $1 AND target_issue_id = $2 AND link_type = 'Blocks' AND NOT of_child`,
      [blockerId, blockedId],
    );
    return found.length > 0;
  }

  /** SQL: rows of a module above. The ids of all issues that an issue blocks. */
  async dependentsOf(id: string): Promise<string[]> {
    const rows = await this.source.query<{ id: string }[]>(
      `SELECT target_issue_id AS id FROM issue_links WHERE source_issue_id = $1 AND link_type = 'Blocks'`,
      [id],
    );
    return rows.map((row) => row.id);
  }

  /** Locks all of these issues. @returns those that wait although nothing blocks them */
  lockUnblocked(ids: string[]): Promise<(Dependent & { handedIn: boolean })[]> {
    return this.lockWhere(ids, `i.status = 'WaitingOnDependency' AND NOT ${isBlocked('i.id')}`);
  }

  /** Locks all of these issues. @returns those that do not wait although something blocks them */
  lockBlocked(ids: string[]): Promise<Dependent[]> {
    return this.lockWhere(
      ids,
      `i.status IN ('Open', 'InProgress', 'PendingReview') AND ${isBlocked('i.id')}`,
    );
  }

  /** SQL: a join. The unresolved issues that links of an issue block: at most 1,000, oldest first. A parent expects the end of its children. */
  openDependentsOf(id: string): Promise<OpenDependent[]> {
    return this.source.query<OpenDependent[]>(
      `SELECT i.id, p.key || '-' || i.number AS key, i.title, i.status
       FROM issue_links l JOIN issues i ON i.id = l.target_issue_id JOIN projects p ON p.id = i.project_id
       WHERE l.source_issue_id = $1 AND l.link_type = 'Blocks' AND NOT l.of_child
         AND i.status NOT IN ('Resolved', 'Closed')
       ORDER BY i.created_at, i.id LIMIT 1000`,
      [id],
    );
  }

  /** SQL: recursive. The unresolved issues below an issue: at most 1,000, the nearest and then the oldest first. */
  openBelow(id: string): Promise<OpenDependent[]> {
    return this.source.query<OpenDependent[]>(
      `WITH RECURSIVE ${BELOW}
       SELECT i.id, p.key || '-' || i.number AS key, i.title, i.status
       FROM below JOIN issues i ON i.id = below.id JOIN projects p ON p.id = i.project_id
       WHERE i.status NOT IN ('Resolved', 'Closed') ORDER BY below.level, i.created_at, i.id LIMIT 1000`,
      [id],
    );
  }

  /** SQL: recursive. Locks the unresolved issues below an issue, and returns them, the deepest first. The caller holds the graph lock. */
  async lockOpenBelow(id: string): Promise<Dependent[]> {
    const found = await this.source.query<{ id: string }[]>(
      `WITH RECURSIVE ${BELOW}
       SELECT i.id FROM below JOIN issues i ON i.id = below.id
       WHERE i.status NOT IN ('Resolved', 'Closed') ORDER BY below.level DESC, i.id`,
      [id],
    );
    const ids = found.map((row) => row.id);
    if (ids.length === 0) return [];
    const locked = await this.lockWhere(ids, `i.status NOT IN ('Resolved', 'Closed')`);
    const byId = new Map(locked.map((issue) => [issue.id, issue]));
    return ids.flatMap((each) => byId.get(each) ?? []);
  }

  /** SQL: an aggregate over a join. The issues that wait for some of these and are not among them, by the one that blocks them. */
  dependentsBeyond(ids: string[]): Promise<{ blockerId: string; dependents: string[] }[]> {
    return this.source.query(
      `SELECT l.source_issue_id AS "blockerId", array_agg(l.target_issue_id) AS dependents
       FROM issue_links l WHERE l.source_issue_id = ANY($1::uuid[]) AND l.link_type = 'Blocks'
         AND NOT l.target_issue_id = ANY($1::uuid[])
       GROUP BY l.source_issue_id ORDER BY l.source_issue_id`,
      [ids],
    );
  }

  /** SQL: recursive. Whether blocking leads from one issue to another, over issues of any status. */
  async reaches(from: string, to: string): Promise<boolean> {
    const found = await this.source.query<unknown[]>(
      `WITH RECURSIVE ${REACH} SELECT 1 FROM reach WHERE id = $2 LIMIT 1`,
      [from, to],
    );
    return found.length > 0;
  }

  /** SQL: recursive. Every edge that blocking leads over from an issue, with keys: expensive, so read only for a known cycle. */
  edgesFrom(id: string): Promise<{ source: string; target: string; key: string }[]> {
    return this.source.query(
      `WITH RECURSIVE ${REACH}
       SELECT l.source_issue_id AS source, l.target_issue_id AS target, p.key || '-' || i.number AS key
       FROM reach JOIN issue_links l ON l.source_issue_id = reach.id AND l.link_type = 'Blocks'
       JOIN issues i ON i.id = l.target_issue_id JOIN projects p ON p.id = i.project_id`,
      [id],
    );
  }

  /** SQL: the condition names links and gates. */
  private async lockWhere(ids: string[], condition: string): Promise<(Dependent & { handedIn: boolean })[]> {
    // Locked first and read in a second statement: a status read before the lock may be out of date.
    await this.source.query<unknown[]>(
      'SELECT id FROM issues WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE',
      [ids],
    );
    return this.source.query(
      `SELECT i.id, i.project_id AS "projectId", i.status, i.paused, i.handed_in AS "handedIn" FROM issues i WHERE i.id = ANY($1::uuid[]) AND ${condition} ORDER BY i.id`,
      [ids],
    );
  }
}
