import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Forbidden } from '../../platform/authentication/authentication.errors.js';
import { actorOf, type Principal, rankOf } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { type FieldError, NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService, type NewJournalEntry } from '../../platform/journal/journal.service.js';
import { GivenBackIssuesRepository } from '../issue-status/given-back-issues-and-attempts.repository.js';
import { IssueDependenciesRepository } from '../issue-status/issue-dependencies.repository.js';
import type { LinkRow, LinkType, LockedIssue } from '../issue-status/issue-row-and-references.js';
import { InvalidTransition, isUnresolved } from '../issue-status/issue-status.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository, type SeenIssue } from '../issue-status/issue.repository.js';
import { StatusChangesService } from '../issue-status/status-changes.service.js';
import { Project } from '../projects/project.entity.js';
import { GraphLockRepository } from '../projects/projects-members-and-graph-lock.repository.js';
import { requireRole } from '../projects/visibility.js';
import { IssueLink, type StoredLinkType } from './issue-link.entity.js';
import { IssueLinkRepository, type SeenLink } from './issue-link.repository.js';
import { refuseCycle } from './link-cycles.js';

/** The most links that an issue may have (contract §5.5). */
export const LINKS_PER_ISSUE = 2_000;

/** A link to be stored, independent of the end that the request named. */
export interface Edge {
  source: SeenIssue;
  target: SeenIssue;
  linkType: StoredLinkType;
}

/** Creates and deletes links, and moves the issues at their ends (contract §5.3, §5.5). */
@Injectable()
export class IssueLinksService {
  constructor(
    @InjectRepository(IssueLink) private readonly links: IssueLinkRepository,
    @InjectRepository(Project) private readonly projects: Repository<Project>,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly dependencies: IssueDependenciesRepository,
    private readonly statusChanges: StatusChangesService,
    private readonly graph: GraphLockRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    private readonly givenBack: GivenBackIssuesRepository,
  ) {}

  list(issue: SeenIssue, page: PageRequest): Promise<Page<LinkRow>> {
    return this.links.list(issue.id, page);
  }

  /** @param issue that the caller sees and may write in */
  async create(
    caller: Principal,
    issue: SeenIssue,
    targetReference: string,
    linkType: LinkType,
  ): Promise<LinkRow> {
    const target = await this.issues.findSeen(caller, targetReference);
    if (!target)
      throw new ValidationFailed([{ path: 'targetIssueId', message: 'names no issue that you can see' }]);
    if (target.id === issue.id)
      throw new ValidationFailed([{ path: 'targetIssueId', message: 'is the issue itself' }]);
    const edge = edgeOf(issue, target, linkType);
    if (edge.linkType === 'Blocks') refuseForeignBlock(caller, edge.target);
    return this.transactions.run(async () => {
      await this.graph.take();
      const id = await this.add(caller, edge);
      return (await this.links.readFrom(issue.id, id))!;
    });
  }

  /** Adds a link; the caller holds the graph lock. @returns its id */
  async add(caller: Principal, { source, target, linkType }: Edge): Promise<string> {
    const locked = await this.issues.lockAll([source.id, target.id]);
    const blocker = locked.find(({ id }) => id === source.id);
    const blocked = locked.find(({ id }) => id === target.id);
    if (!blocker || !blocked) throw new NotFound();
    await this.refuse({ source, target, linkType }, blocker, blocked);
    const id = uuidv7();
    const by = actorOf(caller);
    const createdBy = { createdByType: by.type, createdById: by.id, createdByName: by.name };
    const link = { id, sourceIssueId: source.id, targetIssueId: target.id, linkType };
    await this.links.insert({ ...link, ...createdBy });
    await this.journal.record(...entriesOf('link.created', link, blocker, blocked));
    if (caller.type === 'user') await this.givenBack.endWait([source.id, target.id]);
    if (linkType === 'Blocks' && isUnresolved(blocker.status))
      await this.statusChanges.block(blocked, {
        cause: 'link_created',
        linkId: id,
        blockerId: source.id,
      });
    return id;
  }

  /** @param issue one end of the link, where the caller may remove links of that issue only */
  async delete(caller: Principal, linkId: string, issue?: SeenIssue): Promise<void> {
    const link = requireRole(caller, await this.links.findSeen(caller, linkId), 'Editor');
    if (issue && ![link.sourceIssueId, link.targetIssueId].includes(issue.id)) throw new NotFound();
    if (link.linkType === 'Blocks') await this.refuseForeignUnblock(caller, link);
    await this.transactions.run(async () => {
      if (link.linkType === 'Blocks') await this.graph.take();
      const ends = await this.issues.lockAll([link.sourceIssueId, link.targetIssueId]);
      if (ends.length < 2) throw new NotFound();
      const { affected } = await this.links.delete({ id: link.id });
      if (affected !== 1) throw new NotFound();
      const [source, target] = [link.sourceIssueId, link.targetIssueId].map((id) =>
        ends.find((end) => end.id === id)!,
      );
      await this.journal.record(...entriesOf('link.deleted', link, source!, target!));
      if (caller.type === 'user') await this.givenBack.endWait([source!.id, target!.id]);
      if (link.linkType === 'Blocks')
        await this.statusChanges.unblock([link.targetIssueId], { cause: 'link_deleted', linkId: link.id });
    });
  }

  /** Rejects an invalid link with the first of these errors: projects, closed, exists, limit, cycle. */
  private async refuse(
    { source, target, linkType }: Edge,
    blocker: LockedIssue,
    blocked: LockedIssue,
  ): Promise<void> {
    if (!(await this.mayMeet(blocker.projectId, blocked.projectId))) throw new CrossProjectLink();
    if (linkType === 'Blocks' && blocked.status === 'Closed')
      throw new InvalidTransition(
        blocked,
        'WaitingOnDependency',
        'A Closed issue takes no new blocker; reopen it first.',
      );
    if (await this.exists(source.id, target.id, linkType)) throw new LinkExists();
    const counts = await this.links.countsOf([source.id, target.id]);
    if (Math.max(...counts.values()) >= LINKS_PER_ISSUE) throw new LinkLimit(LINKS_PER_ISSUE);
    if (linkType === 'Blocks') await refuseCycle(this.dependencies, source, target);
  }

  /** Whether issues of these projects may be linked: both in one project, or both in open ones. */
  private async mayMeet(one: string, other: string): Promise<boolean> {
    return (
      one === other || !(await this.projects.existsBy({ id: In([one, other]), visibility: Not('open') }))
    );
  }

  /** RelatedTo has no direction: it exists whichever end created it. */
  private exists(sourceIssueId: string, targetIssueId: string, linkType: StoredLinkType): Promise<boolean> {
    const link = { sourceIssueId, targetIssueId, linkType };
    const reverse = { sourceIssueId: targetIssueId, targetIssueId: sourceIssueId, linkType };
    return this.links.existsBy(linkType === 'RelatedTo' ? [link, reverse] : link);
  }

  private async refuseForeignUnblock(caller: Principal, link: SeenLink): Promise<void> {
    const blocked = await this.issues.findSeen(caller, link.targetIssueId);
    if (!blocked) throw new NotFound();
    refuseForeignBlock(caller, blocked);
  }
}

/** Returns what the journal records of a link: one row for each end, so that both timelines show it. */
export function entriesOf(
  type: 'link.created' | 'link.deleted',
  link: Pick<IssueLink, 'id' | 'sourceIssueId' | 'targetIssueId' | 'linkType'>,
  source: { projectId: string },
  target: { projectId: string },
): [NewJournalEntry, NewJournalEntry] {
  const { sourceIssueId, targetIssueId, linkType } = link;
  const of = { type, subject: { type: 'link', id: link.id } };
  const inverse = linkType === 'Blocks' ? 'BlockedBy' : linkType;
  return [
    {
      ...of,
      projectId: source.projectId,
      issueId: sourceIssueId,
      data: { linkType, targetIssueId },
    },
    {
      ...of,
      projectId: target.projectId,
      issueId: targetIssueId,
      data: { linkType: inverse, targetIssueId: sourceIssueId },
    },
  ];
}

function edgeOf(issue: SeenIssue, target: SeenIssue, linkType: LinkType): Edge {
  if (linkType === 'BlockedBy') return { source: target, target: issue, linkType: 'Blocks' };
  return { source: issue, target, linkType };
}

/** A link must not be a way to pause or reopen the work of others (contract §5.5). */
function refuseForeignBlock(caller: Principal, blocked: SeenIssue): void {
  if (caller.type === 'user') {
    if (blocked.callerRank < rankOf('Editor'))
      throw new Forbidden('The blocked issue is in a project where you may not write.');
    return;
  }
  const own = blocked.assignedAgentId === caller.id || blocked.createdById === caller.id;
  if (!own || blocked.status === 'Resolved')
    throw new Forbidden(
      'An agent changes what blocks an issue only where that issue is its own and not Resolved.',
    );
}

export class LinkExists extends Problem {
  constructor(detail = 'These two issues are linked in this way already.') {
    super('link_exists', detail);
  }
}

export class LinkLimit extends Problem {
  /** @param errors the places of a request with several links */
  constructor(limit: number, errors?: FieldError[]) {
    super('link_limit', `An issue has at most ${limit} links; remove some first.`, { errors });
  }
}

export class CrossProjectLink extends Problem {
  /** @param errors the places of a request with several links or parents */
  constructor(detail = 'Issues of a members-only project are linked only within it.', errors?: FieldError[]) {
    super('cross_project_link', detail, { errors });
  }
}
