import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { type FieldError, ValidationFailed } from '../../platform/http/problem.js';
import { canonicalJson } from '../../platform/json/exact-json.js';
import type { EditableFields, IssueRow, LockedIssue } from '../issue-status/issue-row-and-references.js';
import { allowedTransitionsOf, priorityNumber, type Status } from '../issue-status/issue-status.js';
import type { LabelChange } from '../labels/label-lookup-and-differences.service.js';
import { placementOf } from './issue-parents.service.js';
import type { ReadOnlyField, UpdateIssueRequest } from './issue.request.js';

/** What a PUT changes: only fields that differ from the locked row. */
export interface IssueEdit {
  fields: Partial<EditableFields>;
  status: Status | null;
  /** Absent where the labels stay as they are. */
  labels?: LabelChange | null;
  /** Whether the status hands in the work of a lease that has ended. */
  handsIn?: boolean;
}

/** What an edit changes besides the status, as the journal and the notes of a lease name it. */
export function changedIn({ fields, labels }: IssueEdit): string[] {
  return labels ? [...Object.keys(fields), 'labels'] : Object.keys(fields);
}

/** The locked row; with children, links, lease and import when the body names them. */
export type PresentIssue = LockedIssue &
  Partial<Pick<IssueRow, 'children' | 'links' | 'leaseExpiresAt' | 'imported'>>;

/** Each read-only field as a body spells its present value. */
const PRESENT_VALUE: Record<ReadOnlyField, (present: PresentIssue, caller: Principal) => unknown> = {
  id: ({ id }) => id,
  key: ({ key }) => key,
  projectId: ({ projectId }) => projectId,
  allowedTransitions: allowedTransitionsOf,
  paused: ({ paused }) => paused,
  children: ({ children }) => children,
  links: ({ links }) => links,
  lease: ({ leaseExpiresAt: expiresAt }) => expiresAt && { expiresAt },
  attempts: ({ attempts }) => attempts,
  createdBy: ({ createdByType: type, createdById: id, createdByName: name }) => ({ type, id, name }),
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  statusSince: ({ statusSince }) => statusSince,
  startedAt: ({ startedAt }) => startedAt,
  resolvedAt: ({ resolvedAt }) => resolvedAt,
  closedAt: ({ closedAt }) => closedAt,
  externalId: ({ imported }) => imported?.externalId ?? null,
  importedAt: ({ imported }) => imported?.at ?? null,
};

/**
 * Returns what a body asks to change in an issue as it is now.
 * @param parentId the id of the parent that the body names
 * @throws {ValidationFailed} when a read-only field has another value than its present one
 */
export function editOf(
  caller: Principal,
  request: UpdateIssueRequest,
  present: PresentIssue,
  parentId?: string | null,
): IssueEdit {
  const errors = [...readOnlyErrors(caller, request, present), ...assigneeErrors(request, present)];
  if (errors.length > 0) throw new ValidationFailed(errors);
  const requested: Partial<EditableFields> = {
    ...(request.title !== undefined && { title: request.title }),
    ...(request.description !== undefined && { description: request.description ?? '' }),
    ...(request.priority !== undefined && { priority: priorityNumber(request.priority) }),
    ...(request.goalId !== undefined && { goalId: request.goalId }),
    ...placementOf(
      parentId === undefined ? present.parentId : parentId,
      request.holdsParent ?? present.holdsParent,
    ),
    ...assigneesOf(request, present),
  };
  const names = Object.keys(requested) as (keyof EditableFields)[];
  const changed = names.filter((name) => requested[name] !== present[name]);
  const status = request.status !== undefined && request.status !== present.status ? request.status : null;
  return { fields: Object.fromEntries(changed.map((name) => [name, requested[name]])), status };
}

function readOnlyErrors(caller: Principal, request: UpdateIssueRequest, present: PresentIssue): FieldError[] {
  const fields = Object.keys(PRESENT_VALUE) as ReadOnlyField[];
  return fields
    .filter((name) => request[name] !== undefined)
    .filter((name) => canonicalJson(request[name]) !== canonicalJson(PRESENT_VALUE[name](present, caller)))
    .map((path) => ({ path, message: 'is read-only: leave it out, or send its present value' }));
}

/** An issue as it was read carries both `assignee` and the two ids, so a body may too: what differs counts. */
function assigneesOf(request: UpdateIssueRequest, present: PresentIssue): Partial<EditableFields> {
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

function assigneeErrors(request: UpdateIssueRequest, present: PresentIssue): FieldError[] {
  if (!assigneeDiffers(request, present)) return [];
  const requested = assigneesOf(request, present);
  return (['assignedAgentId', 'assigneeUserId'] as const)
    .filter((name) => request[name] !== undefined && request[name] !== present[name])
    .filter((name) => requested[name] !== undefined && requested[name] !== request[name])
    .map((path) => ({ path, message: 'contradicts assignee; send one of the two' }));
}

/** The assignee of an issue is the agent when one is assigned, else the person. */
function assigneeDiffers({ assignee }: UpdateIssueRequest, present: PresentIssue): boolean {
  if (assignee === undefined) return false;
  const { assignedAgentId, assigneeUserId } = present;
  const type = assignedAgentId ? 'agent' : 'user';
  const id = assignedAgentId ?? assigneeUserId;
  return id === null ? assignee !== null : assignee?.type !== type || assignee.id !== id;
}
