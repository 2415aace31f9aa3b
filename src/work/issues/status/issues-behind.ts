/**
 * A recursive CTE `behind(root, issue_id)`: every issue that cannot end before an issue of `roots` does, that one
 * included. Each pair is visited once, so a diamond of links costs no more than its edges.
 * @param roots SQL that selects a name of the root and the id of its issue
 */
export const issuesBehind = (roots: string) => `behind(root, issue_id) AS (
  ${roots}
  UNION
  SELECT behind.root, edge.target_issue_id FROM behind
  JOIN issue_links edge ON edge.source_issue_id = behind.issue_id AND edge.link_type = 'Blocks'
  JOIN issues waiting ON waiting.id = edge.target_issue_id AND waiting.status = 'WaitingOnDependency')`;
