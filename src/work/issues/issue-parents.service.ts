import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Forbidden } from '../../platform/authentication/authentication.errors.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { type FieldError, Problem, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { GivenBackIssuesRepository } from '../issue-status/given-back-issues-and-attempts.repository.js';
import { IssueDependenciesRepository, MOST_LEVELS } from '../issue-status/issue-dependencies.repository.js';
import type { EditableFields, LockedIssue } from '../issue-status/issue-row-and-references.js';
import { InvalidTransition, isUnresolved, type Status } from '../issue-status/issue-status.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository, type SeenIssue } from '../issue-status/issue.repository.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import { DependencyCycle, type PathNode, refuseCycle } from '../links/link-cycles.js';
import { CrossProjectLink, LinkExists } from '../links/links.service.js';

/** The most children of one issue (contract §5.9). */
export const MOST_CHILDREN = 1_000;

const NO_SUCH_PARENT: FieldError = { path: 'parentId', message: 'names no issue that you can see' };

/** Where an issue is in the tree: below which issue, and whether that one waits for it. */
export type Placement = Pick<EditableFields, 'parentId' | 'holdsParent'>;

/**
 * Holding the parent is the default. An issue on the top level holds nothing, so that its `holdsParent` is the default again
 * (contract §5.9).
 */
export const placementOf = (parentId: string | null, holdsParent = true): Placement => ({
  parentId,
  holdsParent: parentId === null || holdsParent,
});

/** An issue that gets a parent: as much of it as decides whether it may. */
interface Child extends PathNode {
  projectId: string;
  status: Status;
}

/** Reads the tree of sub-issues. The graph lock keeps it as it is. */
@Injectable()
export class IssueTreeRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: recursive. An issue and those above it, the top last. */
  async upwardsFrom(id: string): Promise<PathNode[]> {
    return this.source.query<PathNode[]>(
      `WITH RECURSIVE above(id, parent_id, level) AS (
         SELECT id, parent_id, 1 FROM issues WHERE id = $1
         UNION ALL
         SELECT i.id, i.parent_id, above.level + 1 FROM above JOIN issues i ON i.id = above.parent_id
         WHERE above.level <= ${MOST_LEVELS})
       SELECT i.id, p.key || '-' || i.number AS key
       FROM above JOIN issues i ON i.id = above.id JOIN projects p ON p.id = i.project_id ORDER BY above.level`,
      [id],
    );
  }

  /** SQL: recursive. How many levels an issue and those below it have, and how many children a parent has besides it. */
  async sizes(id: string, parentId: string): Promise<{ levels: number; siblings: number }> {
    const [row] = await this.source.query<{ levels: number; siblings: number }[]>(
      `WITH RECURSIVE below(id, level) AS (
         SELECT $1::uuid, 1
         UNION ALL
         SELECT child.id, below.level + 1 FROM below JOIN issues child ON child.parent_id = below.id
         WHERE below.level <= ${MOST_LEVELS})
       SELECT (SELECT max(level) FROM below)::int AS levels,
              (SELECT count(*) FROM issues WHERE parent_id = $2 AND id <> $1)::int AS siblings`,
      [id, parentId],
    );
    return row!;
  }

  /** SQL: rows locked in id order, then changed. Puts the children of an issue on the top level. */
  async raiseChildren(id: string): Promise<{ id: string; projectId: string }[]> {
    await this.source.query('SELECT id FROM issues WHERE parent_id = $1 ORDER BY id FOR UPDATE', [id]);
    const [raised] = await this.source.query<[{ id: string; projectId: string }[], number]>(
      `UPDATE issues SET parent_id = NULL, holds_parent = true, version = version + 1, updated_at = now()
       WHERE parent_id = $1 RETURNING id, project_id AS "projectId"`,
      [id],
    );
    return raised;
  }
}

/**
 * Puts issues below others (contract §5.9). A child that holds its parent is an edge of blocking (§5.3), so every
 * method here but `find` and `refuseForeign` is called with the graph lock.
 */
@Injectable()
export class IssueParentsService {
  constructor(
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly tree: IssueTreeRepository,
    private readonly dependencies: IssueDependenciesRepository,
    private readonly statusChanges: StatusChangesService,
    private readonly givenBack: GivenBackIssuesRepository,
    private readonly journal: JournalService,
  ) {}

  /**
   * Finds the issue that a body names as a parent.
   * @param child undefined for a new issue. An agent may name the parent that an issue has already
   * @throws {ValidationFailed | CrossProjectLink | Forbidden} when the caller may not use it for an issue of this project
   */
  async find(
    caller: Principal,
    reference: string,
    projectId: string,
    child?: Pick<SeenIssue, 'id' | 'parentId'>,
  ): Promise<SeenIssue> {
    const parent = await this.issues.findSeen(caller, reference);
    if (!parent) throw new ValidationFailed([NO_SUCH_PARENT]);
    if (parent.id === child?.id)
      throw new ValidationFailed([{ path: 'parentId', message: 'is the issue itself' }]);
    if (parent.projectId !== projectId)
      throw new CrossProjectLink('The parent of an issue is an issue of the same project.');
    if (parent.id !== child?.parentId) refuseForeign(caller, parent);
    return parent;
  }

  /**
   * Gives a new issue, which `insert` creates, its parent.
   * @param parent locked
   */
  async addNew(
    caller: Principal,
    child: Child & Placement,
    parent: LockedIssue | undefined,
    insert: () => Promise<void>,
  ): Promise<void> {
    if (!parent) throw new ValidationFailed([NO_SUCH_PARENT]);
    refuseForeign(caller, parent);
    await this.refuse(child, parent, child.holdsParent);
    await insert();
    await this.recordOn(parent, 'issue.child_added', child.id);
    await this.settle(caller, child, { parent });
  }

  /**
   * Moves a locked issue below another one, or to the top level.
   * @param write stores the placement, with the other fields of the change
   * @param wished the status that the issue gets afterwards by the same change
   */
  async move(
    caller: Principal,
    issue: LockedIssue,
    placement: Placement,
    write: () => Promise<void>,
    wished?: Status | null,
  ): Promise<void> {
    const ids = [issue.parentId, placement.parentId].filter((id) => id !== null);
    const ends = await this.issues.lockAll([...new Set(ids)]);
    const [old, parent] = [issue.parentId, placement.parentId].map((id) => ends.find((end) => end.id === id));
    if (placement.parentId !== null && !parent) throw new ValidationFailed([NO_SUCH_PARENT]);
    if (old) refuseForeign(caller, old);
    if (parent && parent !== old) refuseForeign(caller, parent);
    if (parent) await this.refuse(issue, parent, placement.holdsParent, wished ?? issue.status);
    await write();
    if (old && old !== parent) await this.recordOn(old, 'issue.child_removed', issue.id);
    if (parent && old !== parent) await this.recordOn(parent, 'issue.child_added', issue.id);
    await this.settle(caller, { ...issue, ...placement }, { old, parent });
  }

  /** Puts the children of an issue that is deleted on the top level. Its parent is unblocked with its other dependents. */
  async leave({ id, parentId, projectId }: LockedIssue): Promise<void> {
    const raised = await this.tree.raiseChildren(id);
    await this.journal.record(
      ...raised.map((child) => ({
        type: 'issue.updated' as const,
        subject: { type: 'issue', id: child.id },
        projectId: child.projectId,
        issueId: child.id,
        data: { parentId: { old: id, new: null } },
      })),
    );
    if (parentId) await this.recordOn({ id: parentId, projectId }, 'issue.child_removed', id);
  }

  /** Unblocks a parent that a child holds no more, and makes wait the one that it holds. */
  private async settle(
    caller: Principal,
    child: Child & Placement,
    { old, parent }: { old?: LockedIssue | undefined; parent?: LockedIssue | undefined },
  ): Promise<void> {
    const ends = [old, parent].filter((end) => end !== undefined);
    if (caller.type === 'user') await this.givenBack.endWait([...new Set(ends.map(({ id }) => id))]);
    if (!isUnresolved(child.status)) return;
    const holds = parent && child.holdsParent;
    if (old && !(holds && old === parent))
      await this.statusChanges.unblock([old.id], { cause: 'child_removed', blockerId: child.id });
    if (holds) await this.statusChanges.block(parent, { cause: 'child_added', blockerId: child.id });
  }

  /** Rejects an invalid place with the first of these errors: closed, cycle of parents, levels, children, link, cycle of blocking. */
  async refuse(
    child: Child,
    parent: LockedIssue,
    holds: boolean,
    wished: Status = child.status,
  ): Promise<void> {
    if (parent.status === 'Closed' && [child.status, wished].some(isUnresolved))
      throw new InvalidTransition(
        parent,
        'WaitingOnDependency',
        'A Closed issue takes no unresolved child; reopen it first.',
      );
    const above = await this.tree.upwardsFrom(parent.id);
    const place = above.findIndex(({ id }) => id === child.id);
    if (place !== -1) throw new DependencyCycle([nodeOf(child), ...above.slice(0, place + 1)]);
    const { levels, siblings } = await this.tree.sizes(child.id, parent.id);
    if (above.length + levels > MOST_LEVELS) throw new DepthLimit(MOST_LEVELS);
    if (siblings >= MOST_CHILDREN) throw new ChildLimit(MOST_CHILDREN);
    if (!holds) return;
    if (await this.dependencies.isLinked(child.id, parent.id))
      throw new LinkExists(
        'A link makes this issue block that one already. Remove the link first, or send holdsParent: false.',
      );
    await refuseCycle(this.dependencies, child, parent);
  }

  private recordOn(
    { id, projectId }: { id: string; projectId: string },
    type: 'issue.child_added' | 'issue.child_removed',
    childId: string,
  ): Promise<void> {
    return this.journal.record({
      type,
      subject: { type: 'issue', id },
      projectId,
      issueId: id,
      data: { childId },
    });
  }
}

function nodeOf({ id, key }: PathNode): PathNode {
  return { id, key };
}

/** A child must not be a way to pause or reopen the work of others (contract §5.5, §5.9). */
export function refuseForeign(
  caller: Principal,
  parent: Pick<LockedIssue, 'assignedAgentId' | 'createdById' | 'status'>,
): void {
  if (caller.type === 'user') return;
  const own = parent.assignedAgentId === caller.id || parent.createdById === caller.id;
  if (!own || parent.status === 'Resolved')
    throw new Forbidden(
      'An agent changes the children of an issue only where that issue is its own and not Resolved.',
    );
}

export class ChildLimit extends Problem {
  constructor(limit: number) {
    super('child_limit', `An issue has at most ${limit} children; put some of them below another issue.`);
  }
}

export class DepthLimit extends Problem {
  constructor(limit: number) {
    super('depth_limit', `A tree of issues has at most ${limit} levels; choose a parent further up.`);
  }
}
