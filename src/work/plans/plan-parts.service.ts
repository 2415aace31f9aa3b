import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Problem } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { GivenBackIssuesRepository } from '../issue-status/given-back-issues-and-attempts.repository.js';
import type { FoundIssue } from '../issue-status/issue-batches.repository.js';
import { IssueDependenciesRepository, MOST_LEVELS } from '../issue-status/issue-dependencies.repository.js';
import type { NewIssue } from '../issue-status/issue.repository.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import { ChildLimit, DepthLimit, MOST_CHILDREN, refuseForeign } from '../issues/issue-parents.service.js';
import { type CycleMember, DependencyCycle, shortestPath } from '../links/link-cycles.js';
import { checkGraph, edgesWithin, existingIn, levelsIn, type PlanPart, type PlanTree } from './plan-graph.js';
import { CrossProjectLink, LinkExists } from '../links/links.service.js';
import { InvalidTransition } from '../issue-status/issue-status.js';

type Tree = PlanTree<FoundIssue>;
type OfExisting = PlanPart<FoundIssue> & { parent: { issue: FoundIssue } };

/** Reads the trees and the graph that a plan is added to. */
@Injectable()
export class PlanTreeRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: recursive. How many levels end at each of these issues, itself included, and how many children it has. */
  async sizesOf(ids: string[]): Promise<Map<string, { levels: number; children: number }>> {
    const rows = await this.source.query<{ id: string; levels: number; children: number }[]>(
      `WITH RECURSIVE above(root, parent_id, level) AS (
         SELECT id, parent_id, 1 FROM issues WHERE id = ANY($1::uuid[])
         UNION ALL
         SELECT above.root, i.parent_id, above.level + 1 FROM above JOIN issues i ON i.id = above.parent_id
         WHERE above.level <= ${MOST_LEVELS})
       SELECT root AS id, max(level)::int AS levels,
              (SELECT count(*) FROM issues child WHERE child.parent_id = root)::int AS children
       FROM above GROUP BY root`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** SQL: recursive. Which of the issues `to` blocking leads to from which of the issues `from`, whatever their status. */
  reached(from: string[], to: string[]): Promise<{ from: string; to: string }[]> {
    return this.source.query(
      `WITH RECURSIVE reach(root, id) AS (
         SELECT id, id FROM unnest($1::uuid[]) AS root(id)
         UNION
         SELECT reach.root, l.target_issue_id FROM reach
         JOIN issue_links l ON l.source_issue_id = reach.id AND l.link_type = 'Blocks')
       SELECT root AS "from", id AS "to" FROM reach WHERE id = ANY($2::uuid[]) AND id <> root`,
      [from, to],
    );
  }
}

/** Puts issues of a plan below others: of the plan, or existing ones, which then wait for them (contract §5.9, §5.10). */
@Injectable()
export class PlanPartsService {
  constructor(
    private readonly trees: PlanTreeRepository,
    private readonly dependencies: IssueDependenciesRepository,
    private readonly statusChanges: StatusChangesService,
    private readonly givenBack: GivenBackIssuesRepository,
    private readonly journal: JournalService,
  ) {}

  /**
   * Rejects invalid places in the tree with the first of the errors of a single creation, at its place. What the plan has
   * by itself is no cycle.
   * @param refs of the issues of the plan, in its order
   */
  async refuse(caller: Principal, projectId: string, refs: readonly string[], tree: Tree): Promise<void> {
    if (tree.parts.length === 0) return;
    for (const part of ofExisting(tree)) refuseParent(caller, projectId, part);
    await this.refuseSizes(refs.length, tree);
    refuseLinkedPart(tree);
    await this.refuseCycle(refs, tree);
  }

  /**
   * Records the new parts on their parents, and makes existing parents wait. The caller holds the graph lock and the rows of
   * existing parents, and has stored the issues.
   */
  async settle(caller: Principal, { parts, lines }: Tree, made: readonly NewIssue[]): Promise<void> {
    await this.journal.record(
      ...parts.map(({ child, parent }) => {
        const { id, projectId } = 'at' in parent ? made[parent.at]! : parent.issue;
        const data = { childId: made[child]!.id };
        return {
          type: 'issue.child_added' as const,
          subject: { type: 'issue', id },
          projectId,
          issueId: id,
          data,
        };
      }),
    );
    const existing = ofExisting({ parts, lines });
    const ids = new Set(existing.map(({ parent }) => parent.issue.id));
    if (caller.type === 'user' && ids.size > 0) await this.givenBack.endWait([...ids]);
    const held = new Map(existing.filter(({ holds }) => holds).map((part) => [part.parent.issue.id, part]));
    for (const { child, parent } of held.values())
      await this.statusChanges.block(parent.issue, { cause: 'child_added', blockerId: made[child]!.id });
  }

  private async refuseSizes(count: number, tree: Tree): Promise<void> {
    const ids = new Set(ofExisting(tree).map(({ parent }) => parent.issue.id));
    const sizes = ids.size > 0 ? await this.trees.sizesOf([...ids]) : new Map<string, never>();
    const levels = levelsIn(count, tree.parts, ({ id }) => sizes.get(id)?.levels ?? 1);
    const deep = tree.parts.find(({ child }) => levels[child]! > MOST_LEVELS);
    if (deep) throw placed(new DepthLimit(MOST_LEVELS), deep.path);
    const children = new Map([...sizes].map(([id, size]) => [id, size.children]));
    for (const { parent, path } of ofExisting(tree)) {
      const next = (children.get(parent.issue.id) ?? 0) + 1;
      if (next > MOST_CHILDREN) throw placed(new ChildLimit(MOST_CHILDREN), path);
      children.set(parent.issue.id, next);
    }
  }

  /** Rejects a circle through parts of the plan, their existing parents, what those block, and existing blockers of the plan. */
  private async refuseCycle(refs: readonly string[], tree: Tree): Promise<void> {
    const parents = ofExisting(tree).filter(({ holds }) => holds);
    const blockers = tree.lines.flatMap(({ from }) => ('at' in from ? [] : [from.issue.id]));
    if (parents.length === 0 || blockers.length === 0) return;
    const existing = existingIn(tree);
    const numbers = new Map(existing.map(({ id }, at) => [id, refs.length + at]));
    const reached = await this.trees.reached(
      [...new Set(parents.map(({ parent }) => parent.issue.id))],
      [...new Set(blockers)],
    );
    const checked = checkGraph(refs.length + existing.length, [
      ...edgesWithin(tree),
      ...tree.lines.flatMap(({ from, to }) =>
        'at' in from ? [] : [{ from: numbers.get(from.issue.id)!, to }],
      ),
      ...parents.map(({ child, parent }) => ({ from: child, to: numbers.get(parent.issue.id)! })),
      ...reached.map(({ from, to }) => ({ from: numbers.get(from)!, to: numbers.get(to)! })),
    ]);
    if (!('cycle' in checked)) return;
    const { cycle } = checked;
    const closing = parents.find(({ child, parent }) =>
      cycle.some((at, step) => at === child && cycle[step + 1] === numbers.get(parent.issue.id)),
    )!;
    throw new DependencyCycle(await this.pathAlong(cycle, refs, existing), [
      { path: closing.path, message: 'closes a cycle' },
    ]);
  }

  /** Between two existing issues, which need not be neighbours, the path has those between them. */
  private async pathAlong(
    cycle: readonly number[],
    refs: readonly string[],
    existing: readonly FoundIssue[],
  ): Promise<CycleMember[]> {
    const path: CycleMember[] = [];
    for (const [step, at] of cycle.entries()) {
      const issue = existing[at - refs.length];
      const next = existing[(cycle[step + 1] ?? -1) - refs.length];
      if (!issue) path.push({ ref: refs[at]! });
      else if (!next) path.push({ id: issue.id, key: issue.key });
      else {
        const between = shortestPath(await this.dependencies.edgesFrom(issue.id), issue, next.id);
        path.push(...between.slice(0, -1).map(({ id, key }) => ({ id, key })));
      }
    }
    return path;
  }
}

function ofExisting({ parts }: Tree): OfExisting[] {
  return parts.filter((part): part is OfExisting => 'issue' in part.parent);
}

/** Rejects an existing parent of another project, one that an agent may not use, and a Closed one. */
function refuseParent(caller: Principal, projectId: string, { parent, path }: OfExisting): void {
  const { issue } = parent;
  try {
    if (issue.projectId !== projectId)
      throw new CrossProjectLink('The parent of an issue is an issue of the same project.');
    refuseForeign(caller, issue);
    if (issue.status === 'Closed')
      throw new InvalidTransition(
        issue,
        'WaitingOnDependency',
        'A Closed issue takes no unresolved child; reopen it first.',
      );
  } catch (error) {
    throw error instanceof Problem ? placed(error, path) : error;
  }
}

/** Rejects a part that holds its parent and that the parent names as a blocker, too. */
function refuseLinkedPart({ parts, lines }: Tree): void {
  const holding = new Set(
    parts.flatMap(({ child, parent, holds }) => (holds && 'at' in parent ? [`${child} ${parent.at}`] : [])),
  );
  const linked = lines.find(({ from, to }) => 'at' in from && holding.has(`${from.at} ${to}`));
  if (linked)
    throw placed(
      new LinkExists('A part of this issue that holds it blocks it already. Leave one of the two out.'),
      linked.path,
    );
}

/** Returns the problem with the place that it is about. */
function placed({ code, detail, members, headers }: Problem, path: string): Problem {
  return new Problem(code, detail, { errors: [{ path, message: detail }], members, headers });
}
