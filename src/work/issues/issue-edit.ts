import { canonicalJson } from '../../platform/http/canonical-json.js';
import { ValidationFailed, type Fault } from '../../platform/http/problem.js';
import { IssueResponse } from './dto/issue.response.js';
import { readOnlyFields, type UpdateIssueRequest } from './dto/update-issue.request.js';
import type { IssueRow } from './issue-row.js';
import type { Status } from './issue-status.js';
import { priorityNumber } from './priority.js';

/** The fields of an issue that a caller may write, as the database holds them. */
export interface EditableFields {
  title: string;
  description: string;
  priority: number;
  assignedAgentId: string | null;
  assigneeUserId: string | null;
  goalId: string | null;
}

/** What a PUT changes: only fields that differ from what is there. */
export interface IssueEdit {
  fields: Partial<EditableFields>;
  status: Status | null;
}

/**
 * What a body asks to change in an issue as it is now.
 * @throws ValidationFailed for a read-only field with another value than its present one
 */
export function editOf(request: UpdateIssueRequest, present: IssueRow): IssueEdit {
  const faults = [...readOnlyFaults(request, present), ...assigneeFaults(request, present)];
  if (faults.length > 0) throw new ValidationFailed(faults);
  const wished: Partial<EditableFields> = {
    ...(request.title !== undefined && { title: request.title }),
    ...(request.description !== undefined && { description: request.description ?? '' }),
    ...(request.priority !== undefined && { priority: priorityNumber(request.priority) }),
    ...(request.goalId !== undefined && { goalId: request.goalId }),
    ...assigneesOf(request, present),
  };
  const names = Object.keys(wished) as (keyof EditableFields)[];
  const changed = names.filter((name) => wished[name] !== present[name]);
  const status = request.status !== undefined && request.status !== present.status ? request.status : null;
  return { fields: Object.fromEntries(changed.map((name) => [name, wished[name]])), status };
}

function readOnlyFaults(request: UpdateIssueRequest, present: IssueRow): Fault[] {
  const answer = IssueResponse.from(present);
  return readOnlyFields
    .filter(
      (name) =>
        request[name] !== undefined && canonicalJson(request[name]) !== canonicalJson(told(answer[name])),
    )
    .map((path) => ({ path, message: 'is read-only: leave it out, or send its present value' }));
}

/** As the value looks in an answer. */
function told(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** `assignee` and the two ids may both be there, since an issue as it was read has both: what differs counts. */
function assigneesOf(request: UpdateIssueRequest, present: IssueRow): Partial<EditableFields> {
  const byId = {
    ...(request.assignedAgentId !== undefined && { assignedAgentId: request.assignedAgentId }),
    ...(request.assigneeUserId !== undefined && { assigneeUserId: request.assigneeUserId }),
  };
  if (!assigneeDiffers(request, present)) return byId;
  const { assignee } = request;
  if (!assignee) return { assignedAgentId: null, assigneeUserId: null };
  return assignee.type === 'agent'
    ? { assignedAgentId: assignee.id }
    : { assignedAgentId: null, assigneeUserId: assignee.id };
}

function assigneeFaults(request: UpdateIssueRequest, present: IssueRow): Fault[] {
  if (!assigneeDiffers(request, present)) return [];
  const wished = assigneesOf(request, present);
  return (['assignedAgentId', 'assigneeUserId'] as const)
    .filter((name) => request[name] !== undefined && request[name] !== present[name])
    .filter((name) => wished[name] !== undefined && wished[name] !== request[name])
    .map((path) => ({ path, message: 'says something else than assignee; send one of the two' }));
}

function assigneeDiffers({ assignee }: UpdateIssueRequest, present: IssueRow): boolean {
  if (assignee === undefined) return false;
  const now = IssueResponse.from(present).assignee;
  return assignee?.type !== now?.type || assignee?.id !== now?.id;
}
