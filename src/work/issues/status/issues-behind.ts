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
