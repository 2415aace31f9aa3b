import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/auth/principal.js';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { visibilityOf } from '../../projects/visibility.js';
import { ISSUE_TABLES, SUMMARY_COLUMNS, type SummaryRow } from '../issue-row.js';
import type { StoredLinkType } from '../links/links.repository.js';

/** An issue of a graph: `degree` is how many issues block it or are blocked by it. */
export type NodeRow = SummaryRow & { degree: number };

export interface EdgeRow {
  id: string;
  source: string;
  target: string;
  linkType: StoredLinkType;
}

const UNFINISHED = (alias: string) => `${alias}.status NOT IN ('Resolved', 'Closed')`;

/**
 * The part of a project that waits: every blocked issue is in WaitingOnDependency, so the index over project and status
 * finds it without a look at the others. `$1` is the project.
 */
const WAITING = `
  SELECT t.id, l.source_issue_id AS source FROM issues t
  LEFT JOIN issue_links l ON l.target_issue_id = t.id AND l.link_type = 'Blocks'
    AND EXISTS (SELECT 1 FROM issues s WHERE s.id = l.source_issue_id AND ${UNFINISHED('s')})
  WHERE t.project_id = $1 AND t.status = 'WaitingOnDependency'`;

/** The same with finished work: every blocking link of the project. */
const ALL = `
  SELECT t.id, l.source_issue_id AS source FROM issues t
  JOIN issue_links l ON l.target_issue_id = t.id AND l.link_type = 'Blocks' WHERE t.project_id = $1`;

const MOST_DEPENDENTS = (edges: string) => `
  WITH edge AS MATERIALIZED (${edges}),
  found AS (
    SELECT source AS id, count(*) AS dependents FROM edge WHERE source IS NOT NULL GROUP BY source
    UNION ALL SELECT DISTINCT id, 0 FROM edge)
  SELECT i.id FROM (SELECT id, sum(dependents) AS dependents FROM found GROUP BY id) AS counted
  JOIN issues i ON i.id = counted.id ORDER BY counted.dependents DESC, i.created_at, i.id LIMIT $2`;

/** The blocking neighbours of the issues `$1` that are not among `$2`: what blocks them first, then the oldest. */
const NEIGHBOURS = (done: boolean) => `
  SELECT i.id FROM (
    SELECT other, min(side) AS side FROM (
      SELECT l.source_issue_id AS other, 0 AS side FROM issue_links l
      WHERE l.target_issue_id = ANY($1::uuid[]) AND l.link_type = 'Blocks'
      UNION ALL
      SELECT l.target_issue_id, 1 FROM issue_links l
      WHERE l.source_issue_id = ANY($1::uuid[]) AND l.link_type = 'Blocks') AS ends
    GROUP BY other) AS near
  JOIN issues i ON i.id = near.other
  LEFT JOIN unnest($2::uuid[]) AS known(id) ON known.id = i.id
  WHERE known.id IS NULL ${done ? '' : `AND ${UNFINISHED('i')}`}
  ORDER BY near.side, i.created_at, i.id LIMIT $3`;

const DEGREE = `
  ((SELECT count(*) FROM issue_links l WHERE l.source_issue_id = i.id AND l.link_type = 'Blocks') +
   (SELECT count(*) FROM issue_links l WHERE l.target_issue_id = i.id AND l.link_type = 'Blocks'))::int`;

/** Reads parts of the graph of blocking. A caller who sees one end of a link sees the other (contract §2.2). */
@Injectable()
export class GraphRepository {
  constructor(private readonly database: DatabaseService) {}

  /** The issues of a project that most others wait for, then those that wait. */
  mostDependents(projectId: string, done: boolean, limit: number): Promise<string[]> {
    return this.ids(MOST_DEPENDENTS(done ? ALL : WAITING), [projectId, limit]);
  }

  neighbours(of: string[], known: string[], done: boolean, limit: number): Promise<string[]> {
    return this.ids(NEIGHBOURS(done), [of, known, limit]);
  }

  /** The issues among these that the caller sees, in this order. */
  nodes(caller: Principal, ids: string[]): Promise<NodeRow[]> {
    const visibility = visibilityOf(caller, 'p', 2);
    return this.database.rows<NodeRow>(
      `SELECT ${SUMMARY_COLUMNS}, ${DEGREE} AS degree
       FROM unnest($1::uuid[]) WITH ORDINALITY AS chosen(id, place) JOIN (${ISSUE_TABLES}) ON i.id = chosen.id
       ${visibility.membership} WHERE ${visibility.seen} ORDER BY chosen.place`,
      [ids, ...visibility.parameters],
    );
  }

  /** The links of all types between these issues, oldest first. */
  edges(ids: string[], limit: number): Promise<EdgeRow[]> {
    return this.database.rows<EdgeRow>(
      `SELECT l.id, l.source_issue_id AS source, l.target_issue_id AS target, l.link_type AS "linkType"
       FROM issue_links l JOIN unnest($1::uuid[]) AS shown(id) ON shown.id = l.target_issue_id
       WHERE l.source_issue_id = ANY($1::uuid[]) ORDER BY l.created_at, l.id LIMIT $2`,
      [ids, limit],
    );
  }

  private async ids(sql: string, parameters: unknown[]): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(sql, parameters)).map(({ id }) => id);
  }
}
