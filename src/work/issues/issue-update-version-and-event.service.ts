import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Forbidden } from '../../platform/authentication/authentication.errors.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { TryAgain } from '../../platform/database/transactions.service.js';
import {
  type ChangeConditions,
  refuseStale,
  VersionMismatch,
} from '../../platform/http/if-match-and-lease-token.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { IssueAccessService, requireAssigned } from '../issue-status/issue-access.service.js';
import { IssueLease, LeaseFinish } from '../issue-status/issue-lease.entities.js';
import { IssueLeaseRepository } from '../issue-status/issue-lease.repository.js';
import type { EditableFields, IssueRow, LockedIssue } from '../issue-status/issue-row-and-references.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository, type SeenIssue } from '../issue-status/issue.repository.js';
import { priorityName } from '../issue-status/issue-status.js';
import { type LockNeeds, StatusChangesService } from '../issue-status/status-changes.service.js';
import { StatusPutsAndClosesService } from '../issue-status/status-puts-and-closes.service.js';
import {
  IssueLabelsService,
  type LabelChange,
  recordedLabels,
} from '../labels/label-lookup-and-differences.service.js';
import {
  LeaseCheckService,
  statusOfHandIn,
} from '../leases/lease-token-checks-renewals-heartbeat-interval.service.js';
import { LeaseFinishRepository } from '../leases/lease-finishes.service.js';
import { changedIn, editOf, type IssueEdit, type PresentIssue } from './issue-edit.js';
import { IssueParentsService } from './issue-parents.service.js';
import { IssuePeopleService, type NamedPeople, refuseRemovedGoal } from './issue-people.service.js';
import type { UpdateIssueRequest } from './issue.request.js';

const NO_EDIT: IssueEdit = { fields: {}, status: null };

/**
 * Updates an issue by PUT: fields and status in one change (contract §5.2). The caller's right is read first. All else
 * is decided on the locked row, which is read once; the issue is read again only for the response.
 */
@Injectable()
export class IssueUpdateService {
  constructor(
    private readonly access: IssueAccessService,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly people: IssuePeopleService,
    private readonly labels: IssueLabelsService,
    private readonly parents: IssueParentsService,
    private readonly leaseCheck: LeaseCheckService,
    @InjectRepository(IssueLease) private readonly leases: IssueLeaseRepository,
    @InjectRepository(LeaseFinish) private readonly finishes: LeaseFinishRepository,
    private readonly statusChanges: StatusChangesService,
    private readonly statusRequests: StatusPutsAndClosesService,
    private readonly journal: JournalService,
  ) {}

  async update(
    caller: Principal,
    reference: string,
    request: UpdateIssueRequest,
    conditions: ChangeConditions,
  ): Promise<IssueRow> {
    const seen = await this.access.get(caller, reference, 'Editor');
    // Decided again on the locked row. Here it keeps an agent without the right away from the locks.
    if (caller.type === 'agent') requireAssigned(caller.id, seen);
    const parentId = await this.parentIn(caller, seen, request);
    const needs: LockNeeds = {
      movesOthers: request.status !== undefined,
      changesEdges:
        parentId !== seen.parentId || (request.holdsParent ?? seen.holdsParent) !== seen.holdsParent,
    };
    return this.statusChanges.withIssueLock(seen.id, needs, async (issue) => {
      const edit = await this.decide(
        caller,
        issue,
        request,
        conditions,
        namesParent(request) ? parentId : undefined,
      );
      // Another request has moved the issue since it was read.
      if (isPlacement(edit) && !needs.changesEdges) {
        needs.changesEdges = true;
        throw new TryAgain();
      }
      await this.write(caller, issue, edit);
      if (caller.type === 'agent') await this.note(caller.id, issue.id, edit, conditions);
      return (await this.issues.read(issue.id))!;
    });
  }

  private async decide(
    caller: Principal,
    issue: LockedIssue,
    request: UpdateIssueRequest,
    { ifMatch, leaseToken = null }: ChangeConditions,
    parentId: string | null | undefined,
  ): Promise<IssueEdit> {
    if (caller.type === 'agent') requireAssigned(caller.id, issue);
    const errors = await this.people.errorsOf(issue.projectId, newPeopleIn(request, issue));
    const named = await this.labels.find(issue.projectId, request.labels);
    errors.push(...named.errors);
    if (errors.length > 0) throw new ValidationFailed(errors);
    refuseStale(ifMatch, 'issue', issue.version);
    if (request.version !== undefined && request.version !== issue.version)
      throw new VersionMismatch('issue', issue.version);
    const labels = request.labels ? await this.labels.changeOf(issue.id, named.labels) : null;
    const edit = { ...editOf(caller, request, await this.present(issue, request), parentId), labels };
    if (caller.type === 'user') return edit;
    if (await this.isRepeated(caller.id, issue, request, edit, leaseToken)) return NO_EDIT;
    return { ...edit, handsIn: await this.refuseAgent(caller.id, issue, edit, leaseToken) };
  }

  /** Whether this lease ended with just this change: then its agent sends the request again, which changes nothing. */
  private async isRepeated(
    agentId: string,
    issue: LockedIssue,
    { status }: UpdateIssueRequest,
    edit: IssueEdit,
    token: number | null,
  ): Promise<boolean> {
    if (token === null || status === undefined || changedIn(edit).length > 0) return false;
    return (await this.finishes.findOneBy({ issueId: issue.id, token, agentId }))?.outcome === status;
  }

  /** Returns the id of the parent that the body names, or the present one. A body may repeat the id of one that the caller may not change. */
  private async parentIn(
    caller: Principal,
    seen: SeenIssue,
    { parentId }: UpdateIssueRequest,
  ): Promise<string | null> {
    if (parentId === undefined || parentId === seen.parentId) return seen.parentId;
    if (parentId === null) return null;
    return (await this.parents.find(caller, parentId, seen.projectId, seen)).id;
  }

  /** Children, links, lease and import lie in other rows: they are read when the body repeats them. */
  private async present(
    issue: LockedIssue,
    { children, links, lease, externalId, importedAt }: UpdateIssueRequest,
  ): Promise<PresentIssue> {
    if ([children, links, lease, externalId, importedAt].every((one) => one === undefined)) return issue;
    return { ...issue, ...(await this.issues.readRelations(issue.id)) };
  }

  /** @returns whether the edit hands in the work of a lease that has ended; one that changes more does not */
  private async refuseAgent(
    agentId: string,
    issue: LockedIssue,
    edit: IssueEdit,
    token: number | null,
  ): Promise<boolean> {
    const { fields, status } = edit;
    if ('assignedAgentId' in fields || 'assigneeUserId' in fields)
      throw new Forbidden('An agent does not reassign work; ask a person.');
    const outcome = changedIn(edit).length === 0 ? status : null;
    return this.leaseCheck.require(agentId, issue, token, outcome);
  }

  private async write(caller: Principal, issue: LockedIssue, edit: IssueEdit): Promise<void> {
    const { fields, status, handsIn } = edit;
    const placement = { parentId: issue.parentId, holdsParent: issue.holdsParent, ...fields };
    if (isPlacement(edit))
      await this.parents.move(caller, issue, placement, () => this.writeFields(caller, issue, edit), status);
    else if (changedIn(edit).length > 0) await this.writeFields(caller, issue, edit);
    // A lease ends at once with reassignment (contract §7).
    if ('assignedAgentId' in fields) await this.leases.end([issue.id], null);
    if (handsIn)
      await this.statusChanges.apply([issue], 'handIn', statusOfHandIn(issue), { cause: 'handed_in' });
    else if (status) await this.statusRequests.put(caller, issue, status);
  }

  private async writeFields(caller: Principal, issue: LockedIssue, edit: IssueEdit): Promise<void> {
    const { fields, labels } = edit;
    const written = labels ? { ...fields, labelCount: labels.count } : fields;
    const isDone = await refuseRemovedGoal(this.issues.setFields(issue, written, caller.type === 'user'));
    if (!isDone) throw new TryAgain();
    if (labels) await this.labels.write(issue.id, labels);
    await this.record(issue, fields, labels ?? null);
  }

  /** An agent knows what it changed itself, and that it ended its lease. */
  private async note(
    agentId: string,
    issueId: string,
    edit: IssueEdit,
    { leaseToken: token }: ChangeConditions,
  ): Promise<void> {
    const { status: outcome } = edit;
    const names = changedIn(edit);
    if (names.length > 0) await this.leases.noteOwn(agentId, issueId, names);
    if (outcome === null || token === null || token === undefined) return;
    await this.finishes.add({ issueId, token, agentId, outcome, request: null, response: null });
  }

  private async record(
    issue: LockedIssue,
    fields: Partial<EditableFields>,
    labels: LabelChange | null,
  ): Promise<void> {
    const names = Object.keys(fields) as (keyof EditableFields)[];
    const { id, projectId } = issue;
    await this.journal.record({
      type: 'issue.updated',
      subject: { type: 'issue', id },
      projectId,
      issueId: id,
      data: {
        ...Object.fromEntries(
          names.map((name) => [
            name,
            { old: recorded(name, issue[name]), new: recorded(name, fields[name]) },
          ]),
        ),
        ...(labels && {
          labels: { added: recordedLabels(labels.added), removed: recordedLabels(labels.removed) },
        }),
      },
    });
  }
}

const namesParent = ({ parentId }: UpdateIssueRequest) => parentId !== undefined;

/** Whether the issue gets another place in the tree of sub-issues. */
const isPlacement = ({ fields }: IssueEdit) => 'parentId' in fields || 'holdsParent' in fields;

/** The people and the goal that the body names and the issue does not have yet; the present ones stay unchecked. */
function newPeopleIn(request: UpdateIssueRequest, present: LockedIssue): NamedPeople {
  const { assignee } = request;
  const agentId = request.assignedAgentId ?? (assignee?.type === 'agent' ? assignee.id : null);
  const userId = request.assigneeUserId ?? (assignee?.type === 'user' ? assignee.id : null);
  const goalId = request.goalId ?? null;
  const sentId = assignee?.type === 'agent' ? request.assignedAgentId : request.assigneeUserId;
  return {
    ...(assignee && sentId === undefined && { asAssignee: assignee.type }),
    assignedAgentId: agentId === present.assignedAgentId ? null : agentId,
    assigneeUserId: userId === present.assigneeUserId ? null : userId,
    goalId: goalId === present.goalId ? null : goalId,
  };
}

/** A field's value as the journal records it. */
function recorded(name: keyof EditableFields, value: unknown): unknown {
  return name === 'priority' ? priorityName(value as number) : value;
}
