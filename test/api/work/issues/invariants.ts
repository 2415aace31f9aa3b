import { expect } from '@jest/globals';
import type { Service } from '../../../support/service.js';

/** The invariants at every commit (contract §5.3). Each statement finds the rows in the database that violate one. */
const BROKEN = {
  'waits without an unresolved blocker or gate': `
    SELECT id FROM issues i WHERE status = 'WaitingOnDependency'
      AND NOT EXISTS (SELECT 1 FROM gates g WHERE g.issue_id = i.id AND g.holds) AND NOT EXISTS (SELECT 1 FROM issue_links l JOIN issues b ON b.id = l.source_issue_id
      WHERE l.target_issue_id = i.id AND l.link_type = 'Blocks' AND b.status NOT IN ('Resolved', 'Closed'))`,
  'does not wait although it has an unresolved blocker': `
    SELECT id FROM issues i WHERE status IN ('Open', 'InProgress', 'PendingReview') AND EXISTS (SELECT 1 FROM issue_links l JOIN issues b ON b.id = l.source_issue_id
      WHERE l.target_issue_id = i.id AND l.link_type = 'Blocks' AND b.status NOT IN ('Resolved', 'Closed'))`,
  'does not wait although a gate holds it': `
    SELECT i.id FROM issues i JOIN gates g ON g.issue_id = i.id WHERE g.holds AND i.status <> 'WaitingOnDependency'`,
  'has ended with a gate still open': `
    SELECT i.id FROM issues i JOIN gates g ON g.issue_id = i.id WHERE g.state = 'open' AND i.status IN ('Resolved', 'Closed')`,
  'is part of a cycle of blocking': `
    WITH RECURSIVE reach(origin, id) AS (
      SELECT source_issue_id, target_issue_id FROM issue_links WHERE link_type = 'Blocks'
      UNION SELECT reach.origin, l.target_issue_id FROM reach JOIN issue_links l ON l.source_issue_id = reach.id AND l.link_type = 'Blocks')
    SELECT id FROM reach WHERE id = origin`,
  'is not a part of an issue of its own project': `
    SELECT i.id FROM issues i JOIN issues p ON p.id = i.parent_id WHERE p.project_id <> i.project_id`,
  'holds its parent without blocking it': `
    SELECT i.id FROM issues i WHERE i.parent_id IS NOT NULL AND i.holds_parent AND NOT EXISTS (SELECT 1 FROM issue_links l
      WHERE l.of_child AND l.source_issue_id = i.id AND l.target_issue_id = i.parent_id)`,
  'blocks as the child of an issue that it does not hold': `
    SELECT l.id FROM issue_links l JOIN issues i ON i.id = l.source_issue_id
    WHERE l.of_child AND (i.parent_id IS DISTINCT FROM l.target_issue_id OR NOT i.holds_parent)`,
  'is below itself, or below more than seven others': `
    WITH RECURSIVE above(origin, id, level) AS (
      SELECT id, parent_id, 1 FROM issues WHERE parent_id IS NOT NULL
      UNION ALL SELECT above.origin, i.parent_id, level + 1 FROM above JOIN issues i ON i.id = above.id
      WHERE i.parent_id IS NOT NULL AND level < 10)
    SELECT DISTINCT origin FROM above WHERE origin = id OR level > 7`,
  'has a live lease without being in progress': `
    SELECT i.id FROM issues i JOIN issue_leases l ON l.issue_id = i.id WHERE l.expires_at IS NOT NULL AND i.status <> 'InProgress'`,
  'has a lease of another agent than its own': `
    SELECT i.id FROM issues i JOIN issue_leases l ON l.issue_id = i.id
    WHERE l.expires_at IS NOT NULL AND l.agent_id IS DISTINCT FROM i.assigned_agent_id`,
  'is paused in a status that has no pause': `SELECT id FROM issues WHERE paused AND status NOT IN ('Open', 'WaitingOnDependency')`,
  'counts other labels than it has': `
    SELECT id FROM issues i WHERE label_count <> (SELECT count(*) FROM issue_labels WHERE issue_id = i.id)`,
  'has a label of another project': `
    SELECT i.id FROM issues i JOIN issue_labels has ON has.issue_id = i.id JOIN labels l ON l.id = has.label_id
    WHERE l.project_id <> i.project_id`,
  'is linked across the boundary of a members-only project': `
    SELECT l.id FROM issue_links l JOIN issues s ON s.id = l.source_issue_id JOIN issues t ON t.id = l.target_issue_id
    JOIN projects sp ON sp.id = s.project_id JOIN projects tp ON tp.id = t.project_id
    WHERE sp.id <> tp.id AND 'members' IN (sp.visibility, tp.visibility)`,
};

/** All of them in one statement, which sees only a project whose links stay in it. */
const BROKEN_IN_PROJECT = `
  WITH issues AS MATERIALIZED (SELECT * FROM issues WHERE project_id = $1),
       issue_links AS MATERIALIZED (SELECT l.* FROM issue_links l JOIN issues i ON i.id = l.source_issue_id)
  ${Object.entries(BROKEN)
    .map(
      ([violation, statement]) =>
        `SELECT '${violation}' AS violation, broken.id FROM (${statement}) AS broken(id)`,
    )
    .join(' UNION ALL ')}`;

/** As `expectInvariants`, of one project: fast enough for each step of a walk. */
export async function expectInvariantsIn(service: Service, projectId: string): Promise<void> {
  expect(await service.sql(BROKEN_IN_PROJECT, [projectId])).toEqual([]);
}

export async function expectInvariants(service: Service): Promise<void> {
  for (const [violation, statement] of Object.entries(BROKEN))
    expect({ [violation]: await service.sql(statement) }).toEqual({ [violation]: [] });
}
