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
