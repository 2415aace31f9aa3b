import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import { actorOf, type Principal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService, type NewJournalEntry } from '../../platform/journal/journal.service.js';
import type { IssueRow, LabelRow } from '../issue-status/issue-row-and-references.js';
import { priorityNumber, statusOfNew } from '../issue-status/issue-status.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository, type NewIssue, type SeenIssue } from '../issue-status/issue.repository.js';
import { IssueLabelsService, recordedLabels } from '../labels/label-lookup-and-differences.service.js';
import { IssueLinksService } from '../links/links.service.js';
import {
  GraphLockRepository,
  type SeenProject,
} from '../projects/projects-members-and-graph-lock.repository.js';
import { IssueParentsService, placementOf } from './issue-parents.service.js';
import { IssuePeopleService, refuseAssignment, refuseRemovedGoal } from './issue-people.service.js';
import type { CreateIssueRequest } from './issue.request.js';

/** What a new issue is connected with: the issue that has to be finished first, and the one that it is a part of. */
interface Connections {
  blocker: SeenIssue | null;
  parent: SeenIssue | null;
}

const NO_SUCH_BLOCKER = { path: 'blockedByIssueId', message: 'names no issue that you can see' };

/** Creates issues (contract §5.2): Open, or WaitingOnDependency when the body names an unresolved blocker. */
@Injectable()
export class IssueCreationService {
  constructor(
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly labels: IssueLabelsService,
    private readonly links: IssueLinksService,
    private readonly people: IssuePeopleService,
    private readonly parents: IssueParentsService,
    private readonly graph: GraphLockRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** @param project that the caller sees and may write in */
  async create(caller: Principal, project: SeenProject, request: CreateIssueRequest): Promise<IssueRow> {
    const errors = await this.people.errorsOf(project.id, request);
    const blocker = request.blockedByIssueId
      ? await this.issues.findSeen(caller, request.blockedByIssueId)
      : null;
    if (request.blockedByIssueId && !blocker) errors.push(NO_SUCH_BLOCKER);
    errors.push(...(await this.labels.find(project.id, request.labels, false)).errors);
    if (errors.length > 0) throw new ValidationFailed(errors);
    refuseAssignment(caller, project, request);
    const parent = request.parentId ? await this.parents.find(caller, request.parentId, project.id) : null;
    const issue = newIssue(caller, project.id, request, parent);
    return this.transactions.run(async () => {
      // Found again under a lock: a label may have been deleted since.
      const labels = await this.labels.require(project.id, request.labels);
      const labelled = { ...issue, labelCount: labels.length };
      await (blocker || parent
        ? this.insertConnected(caller, labelled, labels, { blocker, parent })
        : this.insert(labelled, labels));
      // Read before the commit: right after it another caller may have deleted the issue.
      return (await this.issues.read(issue.id))!;
    });
  }

  /** A blocker that is resolved or closed does not make the issue wait; the link is stored all the same. */
  private async insertConnected(
    caller: Principal,
    issue: NewIssue,
    labels: LabelRow[],
    { blocker, parent }: Connections,
  ): Promise<void> {
    await this.graph.take();
    const ends = [blocker, parent].filter((end) => end !== null);
    const locked = await this.issues.lockAll([...new Set(ends.map(({ id }) => id))]);
    const lockedBlocker = locked.find(({ id }) => id === blocker?.id);
    if (blocker && !lockedBlocker) throw new ValidationFailed([NO_SUCH_BLOCKER]);
    const status = statusOfNew(lockedBlocker ? [lockedBlocker.status] : []);
    const insert = () => this.insert({ ...issue, status }, labels);
    if (parent) {
      const lockedParent = locked.find(({ id }) => id === parent.id);
      // No message names the key of an issue that is not there yet.
      await this.parents.addNew(caller, { ...issue, key: issue.id }, lockedParent, insert);
    } else await insert();
    if (!blocker) return;
    const blocked = await this.issues.findSeen(caller, issue.id);
    if (!blocked) throw new NotFound();
    await this.links.add(caller, { source: blocker, target: blocked, linkType: 'Blocks' });
  }

  private async insert(issue: NewIssue, labels: LabelRow[]): Promise<void> {
    await refuseRemovedGoal(this.issues.add(issue));
    await this.labels.write(issue.id, { added: labels, removed: [] });
    await this.journal.record(creationOf(issue, labels));
  }
}

/** Returns what the journal records of a new issue. */
export function creationOf(issue: NewIssue, labels: LabelRow[]): NewJournalEntry {
  const { id, projectId, title, status, parentId } = issue;
  const data = {
    title,
    status,
    ...(parentId && { parentId }),
    ...(labels.length > 0 && { labels: recordedLabels(labels) }),
  };
  return { type: 'issue.created', subject: { type: 'issue', id }, projectId, issueId: id, data };
}

/** Returns an open issue with what the request says, and with an id of its own. */
export function newIssue(
  caller: Principal,
  projectId: string,
  request: Omit<CreateIssueRequest, 'blockedByIssueId' | 'parentId'>,
  parent: { id: string } | null,
): NewIssue {
  return {
    id: uuidv7(),
    projectId,
    title: request.title,
    description: request.description ?? '',
    status: 'Open',
    priority: priorityNumber(request.priority ?? 'none'),
    assignedAgentId: request.assignedAgentId ?? null,
    assigneeUserId: request.assigneeUserId ?? null,
    goalId: request.goalId ?? null,
    ...placementOf(parent?.id ?? null, request.holdsParent),
    labelCount: 0,
    createdBy: actorOf(caller),
  };
}
