import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { ISSUE_TABLES, SUMMARY_COLUMNS, type SummaryRow } from '../issue-status/issue-row-and-references.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository } from '../issue-status/issue.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { visibilityOf } from '../projects/visibility.js';
import { type Explained, WhyService } from './explain-and-why.service.js';

/** An issue of a graph: `degree` is how many issues block it or are blocked by it. */
type NodeRow = SummaryRow & { degree: number };

/** A child that holds its parent blocks it like a link. */
export const edgeTypes = ['Blocks', 'Child', 'RelatedTo', 'DuplicateOf'] as const;
export type EdgeType = (typeof edgeTypes)[number];

interface EdgeRow {
  id: string;
  source: string;
  target: string;
  linkType: EdgeType;
}

const UNFINISHED = (alias: string) => `${alias}.status NOT IN ('Resolved', 'Closed')`;

/**
 * The part of a project that waits: every blocked issue is in WaitingOnDependency, so the index over project and status
 * finds it without a look at the others. `$1` is the project.
 */
const WAITING = `SELECT t.id FROM issues t WHERE t.project_id = $1 AND t.status = 'WaitingOnDependency'`;

/** The same with finished work: every issue of the project that something blocks. */
const BLOCKED = `
  SELECT DISTINCT t.id FROM issues t
  JOIN issue_links l ON l.target_issue_id = t.id AND l.link_type = 'Blocks' WHERE t.project_id = $1`;

/**
 * Dependents are counted from the links alone. The rows of the issues are read in the order of the result, and only until
 * it is full: the order comes from a subquery, because PostgreSQL sorts before it joins nowhere else. The issues that
 * block nothing are read only where fewer than `$2` block others. With a fan of 2,000 and a chain of 5,000 in 100,000
 * issues this takes 15 ms, and one join of all of them 55 ms. Equal ones come in the order of their ids, which is that of
 * their creation.
 */
const mostDependents = (blocked: string, condition: string) => `
  WITH blocked AS MATERIALIZED (${blocked}),
  blocking AS MATERIALIZED (
    SELECT l.source_issue_id AS id, count(*) AS dependents FROM blocked
    JOIN issue_links l ON l.target_issue_id = blocked.id AND l.link_type = 'Blocks' GROUP BY l.source_issue_id),
  holding AS MATERIALIZED (
    SELECT counted.id, counted.dependents FROM (SELECT * FROM blocking ORDER BY dependents DESC, id) AS counted
    CROSS JOIN LATERAL (SELECT 1 FROM issues i WHERE i.id = counted.id AND ${condition} OFFSET 0) AS shown
    ORDER BY counted.dependents DESC, counted.id LIMIT $2)
  SELECT id FROM (
    SELECT id, dependents FROM holding UNION ALL
    (SELECT blocked.id, 0 FROM blocked
     WHERE (SELECT count(*) FROM holding) < $2 AND NOT EXISTS (SELECT FROM blocking WHERE blocking.id = blocked.id)
     ORDER BY blocked.id LIMIT $2)) AS chosen
  ORDER BY dependents DESC, id LIMIT $2`;

const MOST_DEPENDENTS = {
  unfinished: mostDependents(WAITING, UNFINISHED('i')),
  all: mostDependents(BLOCKED, 'true'),
};

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
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** The issues of a project that most others wait for, then those that wait. */
  mostDependents(projectId: string, done: boolean, limit: number): Promise<string[]> {
    return this.ids(MOST_DEPENDENTS[done ? 'all' : 'unfinished'], [projectId, limit]);
  }

  neighbours(of: string[], known: string[], done: boolean, limit: number): Promise<string[]> {
    return this.ids(NEIGHBOURS(done), [of, known, limit]);
  }

  /** The issues among these that the caller sees, in this order. */
  nodes(caller: Principal, ids: string[]): Promise<NodeRow[]> {
    const visibility = visibilityOf(caller, 'p', 2);
    return this.source.query<NodeRow[]>(
      `SELECT ${SUMMARY_COLUMNS}, ${DEGREE} AS degree
       FROM unnest($1::uuid[]) WITH ORDINALITY AS chosen(id, place) JOIN (${ISSUE_TABLES}) ON i.id = chosen.id
       ${visibility.membership} WHERE ${visibility.seen} ORDER BY chosen.place`,
      [ids, ...visibility.parameters],
    );
  }

  /** The links of all types between these issues, and what their children hold, oldest first. */
  edges(ids: string[], limit: number): Promise<EdgeRow[]> {
    return this.source.query<EdgeRow[]>(
      `SELECT l.id, l.source_issue_id AS source, l.target_issue_id AS target,
              CASE WHEN l.of_child THEN 'Child' ELSE l.link_type END AS "linkType"
       FROM issue_links l JOIN unnest($1::uuid[]) AS shown(id) ON shown.id = l.target_issue_id
       WHERE l.source_issue_id = ANY($1::uuid[]) ORDER BY l.created_at, l.id LIMIT $2`,
      [ids, limit],
    );
  }

  private async ids(sql: string, parameters: unknown[]): Promise<string[]> {
    return (await this.source.query<{ id: string }[]>(sql, parameters)).map(({ id }) => id);
  }
}

/** A part of the graph of blocking. */
export interface Graph {
  nodes: (Explained & { row: NodeRow; hidden: number })[];
  edges: EdgeRow[];
  /** Whether issues or links were left out because of a limit. */
  truncated: boolean;
}

/** Which part to read: around a focus, or what holds up most. */
interface GraphPart {
  focus?: string;
  depth: number;
  limit: number;
  /** Whether finished issues are shown. */
  done: boolean;
}

/** The most links of one response: 500 issues can have over 100,000 between them. */
const MOST_EDGES = 5_000;

/** Reads a part of the graph of blocking in at most ten statements, whatever the number of issues (contract §5.2). */
@Injectable()
export class GraphService {
  constructor(
    private readonly projects: ProjectsService,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly graph: GraphRepository,
    private readonly why: WhyService,
  ) {}

  async of(caller: Principal, reference: string, part: GraphPart): Promise<Graph> {
    const { id: projectId } = await this.projects.get(caller, reference);
    const chosen =
      part.focus === undefined
        ? await this.graph.mostDependents(projectId, part.done, part.limit + 1)
        : await this.around(await this.focusOf(caller, projectId, part.focus), part);
    const ids = chosen.slice(0, part.limit);
    const [rows, found, whys] = await Promise.all([
      this.graph.nodes(caller, ids),
      this.graph.edges(ids, MOST_EDGES + 1),
      this.why.of(ids),
    ]);
    const nodes = rows.flatMap((row) => withWhy(row, whys.get(row.id)));
    const truncated = chosen.length > part.limit || found.length > MOST_EDGES;
    return { ...withHidden(nodes, found.slice(0, MOST_EDGES)), truncated };
  }

  /** Returns one id more than the limit where there are more issues within the distance. */
  private async around(focus: string, { depth, limit, done }: GraphPart): Promise<string[]> {
    const found = [focus];
    let frontier = found;
    for (let distance = 1; distance <= depth && frontier.length > 0 && found.length <= limit; distance += 1) {
      frontier = await this.graph.neighbours(frontier, found, done, limit + 1 - found.length);
      found.push(...frontier);
    }
    return found;
  }

  private async focusOf(caller: Principal, projectId: string, focus: string): Promise<string> {
    const issue = await this.issues.findSeen(caller, focus);
    if (issue?.projectId !== projectId)
      throw new ValidationFailed([
        { path: 'focus', message: 'names no issue of this project that you can see' },
      ]);
    return issue.id;
  }
}

type Node = Graph['nodes'][number];

/** An issue that was deleted between the statements has no explanation, and is left out. */
function withWhy(row: NodeRow, found: Explained | undefined): Omit<Node, 'hidden'>[] {
  return found ? [{ row, ...found }] : [];
}

/**
 * Keeps the links between these nodes. What is hidden of an issue: the issues next to it by blocking that no link of the
 * response leads to.
 */
function withHidden(nodes: Omit<Node, 'hidden'>[], found: EdgeRow[]): Omit<Graph, 'truncated'> {
  const ids = new Set(nodes.map(({ row }) => row.id));
  const edges = found.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const shown = new Map<string, number>();
  for (const { source, target, linkType } of edges)
    if (linkType === 'Blocks' || linkType === 'Child')
      for (const end of [source, target]) shown.set(end, (shown.get(end) ?? 0) + 1);
  return {
    nodes: nodes.map((node) => ({ ...node, hidden: node.row.degree - (shown.get(node.row.id) ?? 0) })),
    edges,
  };
}
