import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Principal } from '../../platform/authentication/principal.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository } from '../issue-status/issue.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { type EdgeRow, GraphRepository, type NodeRow } from './graph.repository.js';
import { type Why, WhyService } from './why.service.js';

/** A part of the graph of blocking. */
export interface Graph {
  nodes: { row: NodeRow; why: Why; hidden: number }[];
  edges: EdgeRow[];
  /** Whether issues or links were left out because of a limit. */
  truncated: boolean;
}

/** Which part to read: around a focus, or what holds up most. */
export interface GraphPart {
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
function withWhy(row: NodeRow, why: Why | undefined): Omit<Node, 'hidden'>[] {
  return why ? [{ row, why }] : [];
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
    if (linkType === 'Blocks') for (const end of [source, target]) shown.set(end, (shown.get(end) ?? 0) + 1);
  return {
    nodes: nodes.map((node) => ({ ...node, hidden: node.row.degree - (shown.get(node.row.id) ?? 0) })),
    edges,
  };
}
