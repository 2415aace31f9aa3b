import { validate as isUuid } from 'uuid';
import type { PageClauses } from '../../platform/database/keyset-pages.service.js';
import { type Status, statuses } from '../issue-status/issue-status.js';
import type { Visibility } from '../projects/visibility.js';

/**
 * Which issues to list. An absent field matches all; a field with several values matches what has any of them.
 * `NONE` in place of an id means issues without one.
 */
export interface IssueFilter {
  projectId?: string;
  ids?: string[];
  status?: Status[];
  /** Agents and users, either of whom may have an issue. */
  assigneeIds?: string[];
  /** The agents that execute issues. */
  agentIds?: string[];
  goalIds?: string[];
  priorities?: number[];
  /** The issues that they are parts of. */
  parentIds?: string[];
  /** Names or ids of labels, all of which an issue has; `NONE` means issues without labels. */
  labels?: string[];
  /** Unfinished issues that others wait for directly. */
  blockedBy?: string[];
  q?: string;
}

/** In place of an id: issues that have none. */
export const NONE = 'none';

/** Adds a value to the statement's parameters and returns its placeholder. */
export type Bind = (value: unknown) => string;

/** Orders of a list of issues; `-` is descending (contract §5.2). */
export const issueSorts = [
  'createdAt',
  '-createdAt',
  'updatedAt',
  '-updatedAt',
  'priority',
  '-priority',
  'status',
  '-status',
] as const;
export type IssueSort = (typeof issueSorts)[number];

/** The place of a status in the order of the contract. */
const RANK = `array_position('{${statuses.join()}}'::text[], i.status)`;
const BY_AGE = { column: 'i.created_at', type: 'timestamptz' };

const COLUMNS = {
  createdAt: [BY_AGE],
  updatedAt: [{ column: 'i.updated_at', type: 'timestamptz' }],
  priority: [{ column: 'i.priority', type: 'smallint' }, BY_AGE],
  status: [{ column: RANK, type: 'int' }, BY_AGE],
};

/**
 * Returns the columns of an order, which always ends in the id. They become SQL, so they come from a fixed map.
 * @param ranked whether the fit of a search comes first, the best one in either direction
 */
export function orderOf(
  sort: IssueSort,
  ranked: boolean,
): { order: { column: string; type: string }[]; descending: boolean } {
  const fit = { column: isDescending(sort) ? 'i.fit' : '(-i.fit)', type: 'int' };
  const order = [...(ranked ? [fit] : []), ...COLUMNS[fieldOf(sort)], { column: 'i.id', type: 'uuid' }];
  return { order, descending: isDescending(sort) };
}

interface SortedRow {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  priority: number;
  status: Status;
  /** How well it matches, where the order is ranked. */
  fit?: number;
}

/** Returns the values of an order's columns in a row. */
export function sortKeyOf(sort: IssueSort, row: SortedRow): (string | number)[] {
  const fit = row.fit === undefined ? [] : [isDescending(sort) ? row.fit : -row.fit];
  const created = row.createdAt.toISOString();
  const values = {
    createdAt: [created],
    updatedAt: [row.updatedAt.toISOString()],
    priority: [row.priority, created],
    status: [rankOf(row.status), created],
  };
  return [...fit, ...values[fieldOf(sort)], row.id];
}

const isDescending = (sort: IssueSort) => sort.startsWith('-');
const fieldOf = (sort: IssueSort) => sort.replace('-', '') as keyof typeof COLUMNS;
const rankOf = (status: Status) => statuses.indexOf(status) + 1;

/** The filter as SQL on `issues i`, without the words. */
export function conditionsOf(filter: IssueFilter, bind: Bind): string[] {
  const conditions = placeOf(filter, bind);
  if (filter.ids) conditions.push(`i.id = ANY(${bind(filter.ids)}::uuid[])`);
  if (filter.status) conditions.push(`i.status = ANY(${bind(filter.status)}::text[])`);
  if (filter.blockedBy) conditions.push(waitingFor(filter.blockedBy, bind));
  conditions.push(...labelled(filter, bind));
  for (const { values } of dimensionsOf(filter, bind)) conditions.push(anyOf(values));
  return conditions;
}

/** The top level is no place in an index: most issues are there. */
const isTopLevel = ({ parentIds }: IssueFilter): boolean =>
  parentIds !== undefined && parentIds.every((id) => id === NONE);

const placeOf = (filter: IssueFilter, bind: Bind): string[] => [
  ...(filter.projectId ? [`i.project_id = ${bind(filter.projectId)}`] : []),
  ...(isTopLevel(filter) ? ['i.parent_id IS NULL'] : []),
];

const anyOf = (conditions: string[]): string =>
  conditions.length === 0 ? 'false' : `(${conditions.join(' OR ')})`;

/** A filter with its values as conditions that exclude one another. */
interface Dimension {
  field: 'assignee' | 'agent' | 'goal' | 'parent' | 'priority';
  values: string[];
}

/** Each filter besides the status. */
function dimensionsOf(filter: IssueFilter, bind: Bind): Dimension[] {
  const { assigneeIds, agentIds, goalIds, parentIds, priorities } = filter;
  const dimensions: (Dimension | undefined)[] = [
    assigneeIds && { field: 'assignee', values: holders(assigneeIds, bind) },
    agentIds && { field: 'agent', values: valuesOf('i.assigned_agent_id', agentIds, bind) },
    goalIds && { field: 'goal', values: valuesOf('i.goal_id', goalIds, bind) },
    parentIds && !isTopLevel(filter)
      ? { field: 'parent', values: valuesOf('i.parent_id', parentIds, bind) }
      : undefined,
    priorities && {
      field: 'priority',
      values: priorities.map((priority) => `i.priority = ${bind(priority)}`),
    },
  ];
  return dimensions.filter((dimension) => dimension !== undefined);
}

/** A malformed id matches nothing, as an unknown one does. */
function valuesOf(column: string, ids: string[], bind: Bind): string[] {
  const known = ids.filter((id) => id !== NONE && isUuid(id)).map((id) => `${column} = ${bind(id)}`);
  return ids.includes(NONE) ? [...known, `${column} IS NULL`] : known;
}

/** An id belongs to an agent or to a user, never to both. Of an issue with both, the agent's condition holds alone. */
function holders(assigneeIds: string[], bind: Bind): string[] {
  const ids = assigneeIds.filter((id) => id !== NONE);
  const others = ids.length > 1 ? `(i.assigned_agent_id = ANY(${bind(ids)}::uuid[])) IS NOT TRUE` : 'true';
  const held = ids.flatMap((assigneeId) => {
    const id = bind(assigneeId);
    return [`i.assigned_agent_id = ${id}`, `(i.assignee_user_id = ${id} AND ${others})`];
  });
  const free = '(i.assigned_agent_id IS NULL AND i.assignee_user_id IS NULL)';
  return ids.length < assigneeIds.length ? [...held, free] : held;
}

/** An unfinished issue `b` that blocks the issue `i`. */
export const UNFINISHED_BLOCKERS = `issue_links l JOIN issues b ON b.id = l.source_issue_id
  WHERE l.target_issue_id = i.id AND l.link_type = 'Blocks' AND b.status NOT IN ('Resolved', 'Closed')`;

/** Issues that wait for one of these, found from its links, or for no issue. */
function waitingFor(blockedBy: string[], bind: Bind): string {
  const ids = blockedBy.filter((id) => id !== NONE);
  const waits = `(i.status = 'WaitingOnDependency' AND i.id IN (
    SELECT l.target_issue_id FROM issue_links l JOIN issues b ON b.id = l.source_issue_id
    WHERE b.id = ANY(${bind(ids)}::uuid[]) AND l.link_type = 'Blocks' AND b.status NOT IN ('Resolved', 'Closed')))`;
  const free = `(i.status <> 'WaitingOnDependency' OR NOT EXISTS (SELECT 1 FROM ${UNFINISHED_BLOCKERS}))`;
  return ids.length < blockedBy.length ? anyOf([waits, free]) : waits;
}

/** Issues that have each of the labels, found from the labels with that name in the projects of the list. */
function labelled({ labels = [], projectId }: IssueFilter, bind: Bind): string[] {
  return labels.map((label) => {
    if (label === NONE) return 'i.label_count = 0';
    const name = `lower(name) = lower(${bind(label)})`;
    const place = projectId ? ` AND project_id = ${bind(projectId)}` : '';
    const named = isUuid(label) ? `(id = ${bind(label)}::uuid OR ${name})` : name;
    return `i.id IN (SELECT issue_id FROM issue_labels
      WHERE label_id = ANY(ARRAY(SELECT id FROM labels WHERE ${named}${place})))`;
  });
}

/** A part of a filter that one index has in the order of the list. */
interface Alternative {
  status: Status;
  condition: string;
}

/** More parts than this take longer to plan than the rows take to be sorted. */
const MOST_ALTERNATIVES = 72;

/**
 * Splits the filter into parts that exclude one another, for each of which there is an index in the order of the list: one
 * for each combination of values. A filter whose values would make too many stays whole within each part.
 */
function alternativesOf(filter: IssueFilter, sort: IssueSort, bind: Bind): Alternative[] {
  const { projectId, goalIds, assigneeIds, agentIds, parentIds } = filter;
  // The indexes over all projects hold the status under this collation (see the migration).
  const isOfOne = projectId || goalIds || assigneeIds || agentIds || (parentIds && !isTopLevel(filter));
  const column = isOfOne ? 'i.status' : 'i.status COLLATE "C"';
  const perStatus = (filter.status ?? statuses).map((status) => ({
    status,
    condition: `${column} = ${bind(status)}`,
  }));
  return dimensionsOf(filter, bind).reduce((parts, { field, values }) => {
    // The indexes by change have no priority: each part would read all rows that the others return.
    const isWhole = field === 'priority' && fieldOf(sort) === 'updatedAt';
    const isTooMuch = parts.length * values.length > MOST_ALTERNATIVES;
    const each = isWhole || isTooMuch || values.length === 0 ? [anyOf(values)] : values;
    return each.flatMap((value) =>
      parts.map(({ status, condition }) => ({ status, condition: `${value} AND ${condition}` })),
    );
  }, perStatus);
}

/**
 * A join that restricts `issues i` to the rows of a page. For each alternative of the filter the first rows are read from
 * an index in the list's order, then the first of all those are taken, so that a page reads few more rows than it returns.
 * Only ids are chosen in this way, by index-only scans.
 * @returns undefined when one index serves the whole list: issues that are named or found by links or labels, or one project by age
 */
export function merged(filter: IssueFilter, sort: IssueSort, visibility: Visibility) {
  if (filter.ids || isByLinks(filter) || isProjectByAge(filter, sort)) return undefined;
  return (clauses: PageClauses, bind: Bind) => {
    const shared = [
      ...placeOf(filter, bind),
      ...(filter.blockedBy ? [waitingFor(filter.blockedBy, bind)] : []),
      ...labelled(filter, bind),
      ...placesSeen(filter, visibility),
    ];
    const first = ({ status, condition }: Alternative) => {
      const { columns, beyond, order } = clausesWithin(status, sort, clauses);
      const where = [condition, ...shared, beyond].join(' AND ');
      return `(SELECT ${columns} FROM issues i WHERE ${where} ORDER BY ${order} LIMIT ${clauses.limit})`;
    };
    return `JOIN (SELECT i.id FROM (${alternativesOf(filter, sort, bind).map(first).join(' UNION ALL ')}) i
                  ORDER BY ${clauses.order} LIMIT ${clauses.limit}) chosen ON chosen.id = i.id`;
  };
}

/** Within one status the rank is a constant, which no index has: the rows are in the order of their age. */
function clausesWithin(status: Status, sort: IssueSort, clauses: PageClauses) {
  if (fieldOf(sort) !== 'status') return clauses;
  const direction = isDescending(sort) ? 'DESC' : 'ASC';
  const sign = isDescending(sort) ? '<' : '>';
  const [rank, createdAt, id] = clauses.after;
  // The planner knows the parameters, so that only one of the two conditions is left.
  const beyond = `(${rankOf(status)} ${sign} ${rank}
    OR (${rankOf(status)} = ${rank} AND (i.created_at, i.id) ${sign} (${createdAt}, ${id})))`;
  return {
    columns: 'i.status, i.created_at, i.id',
    order: `i.created_at ${direction}, i.id ${direction}`,
    beyond: rank === undefined ? 'true' : beyond,
  };
}

/** Names the list of a project by age, which every board and every script asks for; undefined for other lists. */
export function nameOfList(filter: IssueFilter, sort: IssueSort): string | undefined {
  if (!isProjectByAge(filter, sort) || filter.ids || filter.q !== undefined || filter.labels)
    return undefined;
  return `issues.of-project${isTopLevel(filter) ? '.top' : ''}.${sort}`;
}

const isByLinks = ({ blockedBy, labels = [] }: IssueFilter): boolean =>
  (blockedBy !== undefined && !blockedBy.includes(NONE)) || labels.some((label) => label !== NONE);

function isProjectByAge(filter: IssueFilter, sort: IssueSort): boolean {
  const { projectId, status, assigneeIds, agentIds, goalIds, priorities, blockedBy } = filter;
  const parents = isTopLevel(filter) ? undefined : filter.parentIds;
  const isNarrowed = [status, assigneeIds, agentIds, goalIds, parents, priorities, blockedBy].some(Boolean);
  return projectId !== undefined && !isNarrowed && fieldOf(sort) === 'createdAt';
}

/**
 * A list of one project was checked before, so it needs no condition. IS TRUE keeps the planner from scanning one index
 * per project, which would return the rows out of order.
 */
function placesSeen({ projectId }: IssueFilter, { membership, seen }: Visibility): string[] {
  if (projectId !== undefined) return [];
  return [`(i.project_id = ANY(ARRAY(SELECT p.id FROM projects p ${membership} WHERE ${seen}))) IS TRUE`];
}
