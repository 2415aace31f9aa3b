import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import { actorOf, type Principal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import type { IssueRow, LabelRow } from '../issue-status/issue-row.js';
import { isUnresolved, priorityNumber } from '../issue-status/issue-status.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository, type NewIssue, type SeenIssue } from '../issue-status/issue.repository.js';
import { IssueLabelsService, recordedLabels } from '../labels/issue-labels.service.js';
import { IssueLinksService } from '../links/links.service.js';
import { GraphLockRepository, type SeenProject } from '../projects/project-and-graph-lock.repository.js';
import { IssuePeopleService, refuseAssignment, refuseRemovedGoal } from './issue-people.service.js';
import type { CreateIssueRequest } from './issue.request.js';

/** Creates issues (contract §5.2): Open, or WaitingOnDependency when the body names an unresolved blocker. */
@Injectable()
export class IssueCreationService {
  constructor(
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly labels: IssueLabelsService,
    private readonly links: IssueLinksService,
    private readonly people: IssuePeopleService,
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
    if (request.blockedByIssueId && !blocker)
      errors.push({ path: 'blockedByIssueId', message: 'names no issue that you can see' });
    errors.push(...(await this.labels.find(project.id, request.labels, false)).errors);
    if (errors.length > 0) throw new ValidationFailed(errors);
    refuseAssignment(caller, project, request);
    const issue = newIssue(caller, project.id, request);
    return this.transactions.run(async () => {
      // Found again under a lock: a label may have been deleted since.
      const labels = await this.labels.require(project.id, request.labels);
      const labelled = { ...issue, labelCount: labels.length };
      await (blocker ? this.insertBlocked(caller, labelled, labels, blocker) : this.insert(labelled, labels));
      // Read before the commit: right after it another caller may have deleted the issue.
      return (await this.issues.read(issue.id))!;
    });
  }

  /** A blocker that is resolved or closed does not make the issue wait; the link is stored all the same. */
  private async insertBlocked(
    caller: Principal,
    issue: NewIssue,
    labels: LabelRow[],
    blocker: SeenIssue,
  ): Promise<void> {
    await this.graph.take();
    const [locked] = await this.issues.lockAll([blocker.id]);
    if (!locked)
      throw new ValidationFailed([{ path: 'blockedByIssueId', message: 'names no issue that you can see' }]);
    const status = isUnresolved(locked.status) ? 'WaitingOnDependency' : 'Open';
    await this.insert({ ...issue, status }, labels);
    const blocked = await this.issues.findSeen(caller, issue.id);
    if (!blocked) throw new NotFound();
    await this.links.add(caller, { source: blocker, target: blocked, linkType: 'Blocks' });
  }

  private async insert(issue: NewIssue, labels: LabelRow[]): Promise<void> {
    await refuseRemovedGoal(this.issues.add(issue));
    await this.labels.write(issue.id, { added: labels, removed: [] });
    const { id, projectId, title, status } = issue;
    await this.journal.record({
      type: 'issue.created',
      subject: { type: 'issue', id },
      projectId,
      issueId: id,
      data: { title, status, ...(labels.length > 0 && { labels: recordedLabels(labels) }) },
    });
  }
}

function newIssue(caller: Principal, projectId: string, request: CreateIssueRequest): NewIssue {
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
    labelCount: 0,
    createdBy: actorOf(caller),
  };
}
