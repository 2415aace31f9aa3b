import { validate as isUuid } from 'uuid';
import { statuses, type Status } from './issue-status.js';

/** Which issues to list; absent is any. */
export interface IssueFilter {
  projectId?: string;
  status?: Status[];
  assigneeId?: string;
  goalId?: string;
  priority?: number;
  q?: string;
}

/** Puts a value into the statement's parameters and gives its placeholder. */
export type Bind = (value: unknown) => string;

/** The filter as SQL on `issues i`, but for the words. An id that can't be one fits nothing, as any unknown id does. */
export function conditionsOf(filter: IssueFilter, bind: Bind): string[] {
  if (filter.assigneeId !== undefined && !isUuid(filter.assigneeId)) return ['false'];
  const conditions = conditionsOfPlace(filter, bind);
  if (filter.status) conditions.push(`i.status = ANY(${bind(filter.status)}::text[])`);
  if (filter.assigneeId) conditions.push(`(${holders(filter.assigneeId, bind).join(' OR ')})`);
  return conditions;
}

/** The part of the filter that is the same in all its alternatives. */
export function conditionsOfPlace(filter: IssueFilter, bind: Bind): string[] {
  if (filter.goalId !== undefined && !isUuid(filter.goalId)) return ['false'];
  const conditions: string[] = [];
  if (filter.projectId) conditions.push(`i.project_id = ${bind(filter.projectId)}`);
  if (filter.goalId) conditions.push(`i.goal_id = ${bind(filter.goalId)}`);
  if (filter.priority !== undefined) conditions.push(`i.priority = ${bind(filter.priority)}`);
  return conditions;
}

/**
 * Conditions that exclude one another and together are the filter's statuses and assignee: for each there is an
 * index in the order of the list.
 */
export function alternativesOf(filter: IssueFilter, bind: Bind): string[] {
  const { projectId, goalId, assigneeId } = filter;
  // The indexes over all projects hold the status under this collation (see the migration).
  const column = projectId || goalId || assigneeId ? 'i.status' : 'i.status COLLATE "C"';
  const perStatus = (filter.status ?? statuses).map((status) => `${column} = ${bind(status)}`);
  if (assigneeId === undefined || !isUuid(assigneeId)) return perStatus;
  return holders(assigneeId, bind).flatMap((holder) => perStatus.map((status) => `${holder} AND ${status}`));
}

/** An id is an agent's or a user's, never both. */
function holders(assigneeId: string, bind: Bind): string[] {
  const id = bind(assigneeId);
  return [`i.assigned_agent_id = ${id}`, `i.assignee_user_id = ${id}`];
}
