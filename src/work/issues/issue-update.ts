import { Injectable } from '@nestjs/common';
import { Forbidden } from '../../platform/auth/auth.errors.js';
import type { Principal } from '../../platform/auth/principal.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { Journal } from '../../platform/journal/journal.js';
import type { UpdateIssueRequest } from './dto/update-issue.request.js';
import { refuseGoneGoal } from './goal-gone.js';
import { GraphTurn } from './graph-turn.js';
import { IssueAccess, refuseStale } from './issue-access.js';
import { editOf, type EditableFields, type IssueEdit } from './issue-edit.js';
import { IssuePeople } from './issue-people.js';
import type { IssueRow } from './issue-row.js';
import { IssueStatusWish } from './issue-status-wish.js';
import { VersionMismatch } from './issues.errors.js';
import { IssuesRepository, type LockedIssue, type SeenIssue } from './issues.repository.js';
import { LeaseCheck } from './leases/lease-check.js';
import { LeasesRepository } from './leases/leases.repository.js';
import { priorityName } from './priority.js';

/** Conditions of a change that come as headers. */
export interface ChangeConditions {
  ifMatch?: string | undefined;
  leaseToken?: number | null;
}

/** PUT of an issue: fields and status in one change (spec §5.2). */
@Injectable()
export class IssueUpdate {
  constructor(
    private readonly access: IssueAccess,
    private readonly issues: IssuesRepository,
    private readonly people: IssuePeople,
    private readonly leaseCheck: LeaseCheck,
    private readonly leases: LeasesRepository,
    private readonly wish: IssueStatusWish,
    private readonly turn: GraphTurn,
    private readonly journal: Journal,
  ) {}

  async update(
    caller: Principal,
    reference: string,
    request: UpdateIssueRequest,
    conditions: ChangeConditions,
  ): Promise<IssueRow> {
    const seen = await this.access.get(caller, reference, 'Editor');
    refuseForeign(caller, seen);
    const people = await this.people.faultsOf(seen.projectId, newPeopleIn(request, seen));
    if (people.length > 0) throw new ValidationFailed(people);
    return this.turn.run(seen.id, request.status !== undefined, async (issue) => {
      const present = (await this.issues.read(issue.id))!;
      refuseForeign(caller, present);
      refuseStale(conditions.ifMatch, present.version);
      if (request.version !== undefined && request.version !== present.version)
        throw new VersionMismatch(present.version);
      const edit = editOf(request, present);
      if (caller.type === 'agent')
        await this.refuseAgent(caller.id, issue, edit, conditions.leaseToken ?? null);
      await this.write(caller, issue, present, edit);
      return (await this.issues.read(issue.id))!;
    });
  }

  private async refuseAgent(
    agentId: string,
    issue: LockedIssue,
    edit: IssueEdit,
    token: number | null,
  ): Promise<void> {
    if ('assignedAgentId' in edit.fields || 'assigneeUserId' in edit.fields)
      throw new Forbidden('An agent does not reassign work; ask a person.');
    await this.leaseCheck.require(agentId, issue, token);
  }

  private async write(
    caller: Principal,
    issue: LockedIssue,
    present: IssueRow,
    { fields, status }: IssueEdit,
  ): Promise<void> {
    if (Object.keys(fields).length > 0) {
      await refuseGoneGoal(this.issues.setFields(issue.id, fields));
      await this.tell(present, fields);
    }
    // A lease ends at once with reassignment (spec §7).
    if ('assignedAgentId' in fields) await this.leases.end(issue.id);
    if (status) await this.wish.apply(caller, issue, status);
  }

  private async tell(present: IssueRow, fields: Partial<EditableFields>): Promise<void> {
    const names = Object.keys(fields) as (keyof EditableFields)[];
    const data = Object.fromEntries(
      names.map((name) => [name, { old: told(name, present[name]), new: told(name, fields[name]) }]),
    );
    const { id, projectId } = present;
    await this.journal.record({
      type: 'issue.updated',
      subject: { type: 'issue', id },
      projectId,
      issueId: id,
      data,
    });
  }
}

/** An agent writes only what is assigned to it (spec §2). */
function refuseForeign(caller: Principal, issue: Pick<IssueRow, 'assignedAgentId'>): void {
  if (caller.type === 'agent' && issue.assignedAgentId !== caller.id)
    throw new Forbidden('An agent updates only the issues that are assigned to it.');
}

/** Whom the body names anew: those who are there already need no second look. */
function newPeopleIn(request: UpdateIssueRequest, present: SeenIssue) {
  const { assignee } = request;
  const named = {
    assignedAgentId: request.assignedAgentId ?? (assignee?.type === 'agent' ? assignee.id : null),
    assigneeUserId: request.assigneeUserId ?? (assignee?.type === 'user' ? assignee.id : null),
    goalId: request.goalId ?? null,
  };
  return {
    assignedAgentId: named.assignedAgentId === present.assignedAgentId ? null : named.assignedAgentId,
    assigneeUserId: named.assigneeUserId === present.assigneeUserId ? null : named.assigneeUserId,
    goalId: named.goalId === present.goalId ? null : named.goalId,
  };
}

function told(name: keyof EditableFields, value: unknown): unknown {
  return name === 'priority' ? priorityName(value as number) : value;
}
