import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type Page, pageOf } from '../../api/client';
import { issueKey, keys } from '../../api/keys';
import { every } from '../../api/problem';
import type { IssueGrouping, ListedIssue, paths } from '../../api/types';

/** What a list of issues is narrowed to, several values separated by commas; it lives in the query string. */
export interface IssueFilter {
  q?: string | undefined;
  status?: string | undefined;
  priority?: string | undefined;
  assigneeId?: string | undefined;
  agentId?: string | undefined;
  goalId?: string | undefined;
  /** Ids of labels, all of which an issue has. */
  label?: string | undefined;
  /** The issues that they are parts of; `none` for the top level. */
  parentId?: string | undefined;
  blockedBy?: string | undefined;
}

const FILTERS = [
  'q',
  'status',
  'priority',
  'assigneeId',
  'agentId',
  'goalId',
  'label',
  'parentId',
  'blockedBy',
] as const;

/** The filter of an address; what is none is left out. A number is what the router makes of a word of digits. */
export function filterIn(search: Record<string, unknown>): IssueFilter {
  const text = (value: unknown) =>
    typeof value === 'number' ? String(value) : typeof value === 'string' && value !== '' ? value : undefined;
  return Object.fromEntries(FILTERS.map((name) => [name, text(search[name])]));
}

/** Whether a filter narrows a list at all. */
export const isFiltered = (filter: IssueFilter): boolean =>
  FILTERS.some((name) => filter[name] !== undefined);

/** What a list can be ordered by; the one whose place is first is meant where a person names none. */
export const sorts = [
  '-updatedAt',
  'updatedAt',
  '-createdAt',
  'createdAt',
  '-priority',
  'priority',
  'status',
  '-status',
] as const;
export type Sort = (typeof sorts)[number];

/** What rows of a list can stand together by; `root` is for the graph. */
export const groupings = [
  'status',
  'agent',
  'goal',
  'label',
  'parent',
  'blocker',
] as const satisfies IssueGrouping[];
export type Grouping = (typeof groupings)[number];

/** The filter of a list by which a group's issues are found. */
export const filterOfGroup = {
  status: 'status',
  agent: 'agentId',
  goal: 'goalId',
  label: 'label',
  parent: 'parentId',
  blocker: 'blockedBy',
} as const satisfies Record<Grouping, keyof IssueFilter>;

const PAGE = 200;
/** How many comments and rows of the timeline an issue shows. */
const HISTORY_SHOWN = 1_000;

/** The issues of a project in an order, page by page. What was shown before stays until they have come. */
export const listQuery = (project: string, filter: IssueFilter, sort: Sort) =>
  infiniteQueryOptions({
    queryKey: [...keys.issueLists, project, 'list', filter, sort],
    queryFn: ({ pageParam, signal }) =>
      issuesOf(
        project,
        {
          ...filter,
          sort,
          limit: PAGE,
          count: pageParam === null,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  });

/** The first issues of a group of a list. */
export const groupedQuery = (project: string, filter: IssueFilter, sort: Sort, limit: number) =>
  queryOptions({
    queryKey: [...keys.issueLists, project, 'group', filter, sort, limit],
    queryFn: ({ signal }) => issuesOf(project, { ...filter, sort, limit }, signal),
    // Fewer of the same stay until more have come; those of another group never stand in.
    placeholderData: (before, query) =>
      query !== undefined && JSON.stringify(query.queryKey.slice(4, 6)) === JSON.stringify([filter, sort])
        ? before
        : undefined,
  });

const MOST_AT_ONCE = 1_000;

/** All issues that match, up to a number, without the reasons why each is where it is. */
export async function matchingIssues(
  projectId: string,
  filter: IssueFilter,
  sort: Sort,
  most: number,
): Promise<ListedIssue[]> {
  const found: ListedIssue[] = [];
  let cursor: string | null = null;
  do {
    const query: ListParameters = { ...filter, sort, fields: 'summary', limit: MOST_AT_ONCE };
    const page: Page<ListedIssue> = await pageOf(
      api.GET('/api/projects/{projectId}/issues', {
        params: { path: { projectId }, query: cursor === null ? query : { ...query, cursor } },
      }),
    );
    found.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null && found.length < most);
  return found.slice(0, most);
}

type ListParameters = NonNullable<paths['/api/projects/{projectId}/issues']['get']['parameters']['query']>;

/** One page of a project's issues, without descriptions, and with why each is where it is. */
export function issuesOf(projectId: string, query: ListParameters, signal?: AbortSignal) {
  return pageOf(
    api.GET('/api/projects/{projectId}/issues', {
      params: { path: { projectId }, query: { ...query, fields: 'summary,why' } },
      ...(signal ? { signal } : {}),
    }),
  );
}

/** An issue by its id or key. */
export const issueQuery = (issueId: string) =>
  queryOptions({
    queryKey: [...keys.openIssues, issueId, 'issue'],
    queryFn: () => bodyOf(api.GET('/api/projects/issues/{issueId}', { params: { path: { issueId } } })),
  });

/** The sub-issues of an issue, oldest first: all that the service allows. */
export const childrenQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.openIssues, id, 'children'],
    queryFn: () =>
      bodyOf(
        api.GET('/api/projects/issues/{issueId}/children', {
          params: { path: { issueId: id }, query: { fields: 'summary,why', limit: MOST_AT_ONCE } },
        }),
      ),
  });

export const explainQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.openIssues, id, 'explain'],
    queryFn: () =>
      bodyOf(api.GET('/api/projects/issues/{issueId}/explain', { params: { path: { issueId: id } } })),
  });

/** The newest rows of the timeline, newest first. */
export const activityQuery = (id: string) =>
  queryOptions({
    queryKey: [...issueKey(id), 'activity'],
    queryFn: () =>
      pageOf(
        api.GET('/api/projects/issues/{issueId}/activity', {
          params: { path: { issueId: id }, query: { limit: HISTORY_SHOWN, sort: '-createdAt' } },
        }),
      ),
  });

/** The newest tool calls of an issue, for its lanes. The service writes the records of calls in batches. */
export const laneCallsQuery = (id: string, isRunning: boolean) =>
  queryOptions({
    queryKey: [...issueKey(id), 'calls'],
    queryFn: () =>
      pageOf(
        api.GET('/api/projects/issues/{issueId}/calls', {
          params: { path: { issueId: id }, query: { limit: HISTORY_SHOWN } },
        }),
      ),
    refetchInterval: every(isRunning && RUN_REFRESH_MS),
  });

const RUNS_SHOWN = 20;
/** Reports of runs are no events. */
const RUN_REFRESH_MS = 5_000;

/** What workers reported of their work on an issue, newest first; read again while one works on it. */
export const runsQuery = (id: string, isRunning: boolean) =>
  queryOptions({
    queryKey: [...issueKey(id), 'runs'],
    queryFn: async () =>
      (
        await pageOf(
          api.GET('/api/projects/issues/{issueId}/runs', {
            params: { path: { issueId: id }, query: { limit: RUNS_SHOWN } },
          }),
        )
      ).rows,
    refetchInterval: every(isRunning && RUN_REFRESH_MS),
  });

export const commentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...issueKey(id), 'comments'],
    queryFn: () =>
      pageOf(
        api.GET('/api/projects/issues/{issueId}/comments', {
          params: { path: { issueId: id }, query: { limit: HISTORY_SHOWN } },
        }),
      ),
  });

export const attachmentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...issueKey(id), 'attachments'],
    queryFn: () =>
      bodyOf(api.GET('/api/projects/issues/{issueId}/attachments', { params: { path: { issueId: id } } })),
  });

export const goalsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.goals, projectId],
    queryFn: async () =>
      (await pageOf(api.GET('/api/projects/{projectId}/goals', { params: { path: { projectId } } }))).rows,
  });
