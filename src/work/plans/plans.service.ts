import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { RequestLimitsService } from '../../platform/authentication/request-limits-and-refusal-records.service.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { type FieldError, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { type FoundIssue, IssueBatchesRepository } from '../issue-status/issue-batches.repository.js';
import { type Status, statusOfNew } from '../issue-status/issue-status.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository, type NewIssue } from '../issue-status/issue.repository.js';
import { creationOf, newIssue } from '../issues/issue-creation.service.js';
import {
  AssignmentRefused,
  IssuePeopleService,
  isRefusedAssignment,
} from '../issues/issue-people.service.js';
import type { LabelRow } from '../issue-status/issue-row-and-references.js';
import { NewIssueLabelsService } from '../labels/label-lookup-and-differences.service.js';
import { DependencyCycle } from '../links/link-cycles.js';
import { type NewBlocker, NewBlockersService } from '../links/new-blockers.service.js';
import {
  GraphLockRepository,
  type SeenProject,
} from '../projects/projects-members-and-graph-lock.repository.js';
import {
  checkGraph,
  edgesWithin,
  existingIn,
  type Named,
  namedOutside,
  type PlanEdge,
  type PlanTree,
  readTree,
  treeWithin,
} from './plan-graph.js';
import { PlanPartsService } from './plan-parts.service.js';
import { LINES_PER_PLAN, type PlannedIssueRequest } from './plan.dto.js';

type Tree = PlanTree<FoundIssue>;

/** A plan that breaks no rule that can be checked without a lock, by places in its list. */
interface CheckedPlan {
  tree: Tree;
  order: number[];
  critical: number[];
}

/** An issue of a plan; with its key once it is stored. */
export interface PlannedIssue {
  ref: string;
  id: string;
  key: string;
  status: Status;
}

/** What a plan would create: its issues, an order of the work, and the longest chain in it, both by refs. */
export interface PlanPreview {
  issues: Pick<PlannedIssue, 'ref' | 'status'>[];
  order: string[];
  critical: string[];
}

/**
 * Creates many issues with the links between them in one transaction (contract §5.10): all of them or none. The number
 * of statements does not depend on that of the issues, and every rule of a single creation holds for each.
 *
 * New issues are seen by no other transaction before the commit, so the graph lock is needed only where the plan names
 * issues that exist.
 */
@Injectable()
export class PlansService {
  constructor(
    private readonly batches: IssueBatchesRepository,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly people: IssuePeopleService,
    private readonly labels: NewIssueLabelsService,
    private readonly blockers: NewBlockersService,
    private readonly parts: PlanPartsService,
    private readonly graph: GraphLockRepository,
    private readonly limits: RequestLimitsService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /**
   * Returns what `create` would do now, and stores nothing.
   * @param project that the caller sees and may write in
   */
  async check(
    caller: Principal,
    project: SeenProject,
    planned: readonly PlannedIssueRequest[],
  ): Promise<PlanPreview> {
    const { tree, order, critical } = await this.checked(caller, project, planned);
    const made = newIssuesOf(caller, project, planned, tree);
    await this.refuseInGraph(caller, project, planned, tree, made);
    const refs = (places: number[]) => places.map((at) => planned[at]!.ref);
    return {
      issues: planned.map(({ ref }, at) => ({ ref, status: made[at]!.status })),
      order: refs(order),
      critical: refs(critical),
    };
  }

  /** @param project that the caller sees and may write in */
  async create(
    caller: Principal,
    project: SeenProject,
    planned: readonly PlannedIssueRequest[],
  ): Promise<PlannedIssue[]> {
    await this.limits.countMore(caller, planned.length - 1);
    const { tree } = await this.checked(caller, project, planned);
    return this.transactions.run(async () => {
      const locked = await this.lockNamed(tree);
      await this.people.keepGoals(project.id, placesOf(planned));
      const labels = await this.labels.require(project.id, labelsIn(planned));
      const made = newIssuesOf(caller, project, planned, locked, labels);
      await this.refuseInGraph(caller, project, planned, locked, made);
      const keys = await this.batches.add(project.id, made);
      await this.labels.add(made.map(({ id }, at) => ({ issueId: id, labels: labels[at]! })));
      await this.journal.record(...made.map((issue, at) => creationOf(issue, labels[at]!)));
      await this.blockers.add(caller, blockersIn(locked, made));
      await this.parts.settle(caller, locked, made);
      return made.map(({ id, status }, at) => ({ ref: planned[at]!.ref, id, key: keys.get(id)!, status }));
    });
  }

  /** Rejects a plan with the first of these errors, at all of its places: values, assignments, a cycle. */
  private async checked(
    caller: Principal,
    project: SeenProject,
    planned: readonly PlannedIssueRequest[],
  ): Promise<CheckedPlan> {
    const tree = await this.treeOf(caller, project, planned);
    refuseAssignments(caller, project, planned);
    refuseCycle(planned, treeWithin(tree.parts));
    return { tree, ...refuseCycle(planned, edgesWithin(tree)) };
  }

  /** Rejects what existing issues do not admit. A creation asks under their locks. */
  private async refuseInGraph(
    caller: Principal,
    project: SeenProject,
    planned: readonly PlannedIssueRequest[],
    tree: Tree,
    made: readonly NewIssue[],
  ): Promise<void> {
    const refs = planned.map(({ ref }) => ref);
    await this.parts.refuse(caller, project.id, refs, tree);
    await this.blockers.refuse(blockersIn(tree, made));
  }

  private async treeOf(
    caller: Principal,
    project: SeenProject,
    planned: readonly PlannedIssueRequest[],
  ): Promise<Tree> {
    refuseTooManyLines(planned);
    const existing = await this.batches.findSeen(caller, namedOutside(planned));
    const { errors, ...tree } = readTree(planned, existing);
    errors.push(...(await this.people.errorsAt(project.id, placesOf(planned))));
    errors.push(...(await this.labels.find(project.id, labelsIn(planned))).errors);
    if (errors.length > 0) throw new ValidationFailed(errors);
    return tree;
  }

  /**
   * Locks the existing issues that a plan names, and returns what names them with what they are under the lock.
   * @throws {ValidationFailed} where one has been deleted since it was found
   */
  private async lockNamed({ lines, parts }: Tree): Promise<Tree> {
    const ids = existingIn({ lines, parts }).map(({ id }) => id);
    if (ids.length === 0) return { lines, parts };
    await this.graph.take();
    const locked = new Map((await this.issues.lockAll(ids)).map((issue) => [issue.id, issue]));
    const errors: FieldError[] = [];
    const underLock = (named: Named<FoundIssue>, path: string): Named<FoundIssue> => {
      if ('at' in named) return named;
      const issue = locked.get(named.issue.id);
      if (!issue) errors.push({ path, message: 'names an issue that was deleted' });
      return { issue: issue ?? named.issue };
    };
    const tree = {
      lines: lines.map((line) => ({ ...line, from: underLock(line.from, line.path) })),
      parts: parts.map((part) => ({ ...part, parent: underLock(part.parent, part.path) })),
    };
    if (errors.length > 0) throw new ValidationFailed(errors);
    return tree;
  }
}

/** Returns the new issues in the order of the plan, each with the status that its blockers give it. */
function newIssuesOf(
  caller: Principal,
  project: SeenProject,
  planned: readonly PlannedIssueRequest[],
  { lines, parts }: Tree,
  labels: readonly LabelRow[][] = [],
): NewIssue[] {
  const blockers = planned.map((): Status[] => []);
  // An issue of the plan is unresolved whatever holds it.
  for (const { from, to } of lines) blockers[to]!.push('at' in from ? 'Open' : from.issue.status);
  for (const { parent, holds } of parts) if (holds && 'at' in parent) blockers[parent.at]!.push('Open');
  const made = planned.map((request, at) => ({
    ...newIssue(caller, project.id, request, null),
    status: statusOfNew(blockers[at]!),
    labelCount: labels[at]?.length ?? 0,
  }));
  for (const { child, parent, holds } of parts) {
    const { id: parentId } = 'at' in parent ? made[parent.at]! : parent.issue;
    Object.assign(made[child]!, { parentId, holdsParent: holds });
  }
  return made;
}

function blockersIn({ lines }: Tree, made: readonly NewIssue[]): NewBlocker[] {
  return lines.map(({ from, to, path }) => ({
    source: 'at' in from ? made[from.at]! : from.issue,
    target: made[to]!,
    path,
  }));
}

const placesOf = (planned: readonly PlannedIssueRequest[]) =>
  planned.map((named, at) => ({ place: `issues[${at}].`, named }));

const labelsIn = (planned: readonly PlannedIssueRequest[]) =>
  planned.map(({ labels }, at) => ({ place: `issues[${at}].`, given: labels }));

function refuseTooManyLines(planned: readonly PlannedIssueRequest[]): void {
  const lines = planned.reduce((sum, { blockedBy }) => sum + (blockedBy?.length ?? 0), 0);
  if (lines <= LINES_PER_PLAN) return;
  const message = `must name at most ${LINES_PER_PLAN} blockers together`;
  throw new ValidationFailed([{ path: 'issues', message }]);
}

/** @throws {AssignmentRefused} with the place of each assignment that the project refuses */
function refuseAssignments(
  caller: Principal,
  project: SeenProject,
  planned: readonly PlannedIssueRequest[],
): void {
  const refused = placesOf(planned).filter(({ named }) => isRefusedAssignment(caller, project, named));
  if (refused.length === 0) return;
  throw new AssignmentRefused(
    refused.map(({ place }) => ({ path: `${place}assignedAgentId`, message: 'names another agent' })),
  );
}

/**
 * Returns the order and the longest chain of the plan.
 * @throws {DependencyCycle} with the place of one of its edges
 */
function refuseCycle(
  planned: readonly PlannedIssueRequest[],
  edges: readonly (PlanEdge & { path: string })[],
): { order: number[]; critical: number[] } {
  const checked = checkGraph(planned.length, edges);
  if (!('cycle' in checked)) return checked;
  const [last, first] = checked.cycle.slice(-2);
  const closing = edges.find(({ from, to }) => from === last && to === first)!;
  const refs = checked.cycle.map((at) => ({ ref: planned[at]!.ref }));
  throw new DependencyCycle(refs, [{ path: closing.path, message: 'closes a cycle' }]);
}
