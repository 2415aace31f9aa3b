import { validate as isUuid } from 'uuid';
import { type Status, statuses } from '../issue-status/issue-status.js';

/** Which issues to list. An absent field matches all. */
export interface IssueFilter {
  projectId?: string;
  ids?: string[];
  status?: Status[];
  /** The id of an agent or user, or `none` for the issues that have no assignee. */
  assigneeId?: string;
  goalId?: string;
  priority?: number;
  q?: string;
}

/** In place of an assignee's id: issues without one. */
export const UNASSIGNED = 'none';

/** Adds a value to the statement's parameters and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The filter as SQL on `issues i`, without the words. */
export function conditionsOf(filter: IssueFilter, bind: Bind): string[] {
  const conditions = conditionsOfPlace(filter, bind);
  if (filter.ids) conditions.push(`i.id = ANY(${bind(filter.ids)}::uuid[])`);
  if (filter.status) conditions.push(`i.status = ANY(${bind(filter.status)}::text[])`);
  if (filter.assigneeId) conditions.push(`(${holders(filter.assigneeId, bind).join(' OR ')})`);
  return conditions;
}

/** The conditions that all alternatives of the filter share. A malformed id of a goal matches nothing, as an unknown one does. */
export function conditionsOfPlace(filter: IssueFilter, bind: Bind): string[] {
  if (filter.goalId !== undefined && !isUuid(filter.goalId)) return ['false'];
  const conditions: string[] = [];
  if (filter.projectId) conditions.push(`i.project_id = ${bind(filter.projectId)}`);
  if (filter.goalId) conditions.push(`i.goal_id = ${bind(filter.goalId)}`);
  if (filter.priority !== undefined) conditions.push(`i.priority = ${bind(filter.priority)}`);
  return conditions;
}

/**
 * Splits the filter's statuses and assignee into conditions that exclude one another. For each there is an index in the
 * order of the list.
 */
export function alternativesOf(filter: IssueFilter, bind: Bind): string[] {
  const { projectId, goalId, assigneeId } = filter;
  // The indexes over all projects hold the status under this collation (see the migration).
  const column = projectId || goalId || assigneeId ? 'i.status' : 'i.status COLLATE "C"';
  const perStatus = (filter.status ?? statuses).map((status) => `${column} = ${bind(status)}`);
  if (assigneeId === undefined) return perStatus;
  return holders(assigneeId, bind).flatMap((holder) => perStatus.map((status) => `${holder} AND ${status}`));
}

/** An id belongs to an agent or to a user, never to both. */
function holders(assigneeId: string, bind: Bind): string[] {
  if (assigneeId === UNASSIGNED) return ['(i.assigned_agent_id IS NULL AND i.assignee_user_id IS NULL)'];
  const id = bind(assigneeId);
  return [`i.assigned_agent_id = ${id}`, `i.assignee_user_id = ${id}`];
}
