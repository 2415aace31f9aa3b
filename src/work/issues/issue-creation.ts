import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { actorOf, type Principal } from '../../platform/auth/principal.js';
import { Transactions } from '../../platform/database/transactions.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { Journal } from '../../platform/journal/journal.js';
import { GraphLock } from '../projects/graph-lock.js';
import type { SeenProject } from '../projects/projects.repository.js';
import type { CreateIssueRequest } from './dto/create-issue.request.js';
import { refuseGoneGoal } from './goal-gone.js';
import { IssuePeople } from './issue-people.js';
import { IssueLinks } from './issue-links.js';
import type { IssueRow } from './issue-row.js';
import { isUnresolved } from './issue-status.js';
import { IssuesRepository, type NewIssue, type SeenIssue } from './issues.repository.js';
import { priorityNumber } from './priority.js';

/** Makes issues (spec §5.2): open, or waiting where a blocker is named that is not finished. */
@Injectable()
export class IssueCreation {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly links: IssueLinks,
    private readonly people: IssuePeople,
    private readonly graph: GraphLock,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @param project seen by the caller with the right to write */
  async create(caller: Principal, project: SeenProject, request: CreateIssueRequest): Promise<IssueRow> {
    const faults = await this.people.faultsOf(project.id, request);
    const blocker = request.blockedByIssueId
      ? await this.issues.findSeen(caller, request.blockedByIssueId)
      : null;
    if (request.blockedByIssueId && !blocker)
      faults.push({ path: 'blockedByIssueId', message: 'names no issue that you can see' });
    if (faults.length > 0) throw new ValidationFailed(faults);
    const issue = newIssue(caller, project.id, request);
    return this.transactions.run(async () => {
      await (blocker ? this.insertBlocked(caller, issue, blocker) : this.insert(issue));
      // Read before the commit: right after it somebody may have deleted the issue.
      return (await this.issues.read(issue.id))!;
    });
  }

  /** A blocker that is finished already makes nobody wait; the link is there all the same. */
  private async insertBlocked(caller: Principal, issue: NewIssue, blocker: SeenIssue): Promise<void> {
    await this.graph.take();
    const [held] = await this.issues.lockAll([blocker.id]);
    if (!held)
      throw new ValidationFailed([{ path: 'blockedByIssueId', message: 'names no issue that you can see' }]);
    await this.insert({ ...issue, status: isUnresolved(held.status) ? 'WaitingOnDependency' : 'Open' });
    const blocked = await this.issues.findSeen(caller, issue.id);
    if (!blocked) throw new NotFound();
    await this.links.add(caller, { source: blocker, target: blocked, linkType: 'Blocks' });
  }

  private async insert(issue: NewIssue): Promise<void> {
    await refuseGoneGoal(this.issues.insert(issue));
    const { id, projectId, title, status } = issue;
    await this.journal.record({
      type: 'issue.created',
      subject: { type: 'issue', id },
      projectId,
      issueId: id,
      data: { title, status },
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
    createdBy: actorOf(caller),
  };
}
