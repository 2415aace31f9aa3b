/**
 * A recursive CTE `behind(root, issue_id)`: every issue that cannot end before an issue of `roots` does, that one
 * included. Each pair is visited once, so a diamond of links costs no more than its edges.
 * Each step reads the links of its own rows by index: a join that the planner may turn into a scan of all issues is
 * repeated for every link of a chain, which took minutes for a chain of 5,000.
 * @param roots SQL that selects a name of the root and the id of its issue
 */
export const issuesBehind = (roots: string) => `behind(root, issue_id) AS (
  ${roots}
  UNION
  SELECT behind.root, next.id FROM behind CROSS JOIN LATERAL (
    SELECT edge.target_issue_id AS id FROM issue_links edge
    WHERE edge.source_issue_id = behind.issue_id AND edge.link_type = 'Blocks'
      AND (SELECT waiting.status FROM issues waiting WHERE waiting.id = edge.target_issue_id) = 'WaitingOnDependency'
    OFFSET 0) AS next)`;
