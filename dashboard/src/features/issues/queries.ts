import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, pageOf } from '../../api/client';
import { issueKey, keys } from '../../api/keys';
import type { IssueStatus, paths, Priority } from '../../api/types';

/** What a list of issues is narrowed to; it lives in the query string. */
export interface IssueFilter {
  q?: string | undefined;
  status?: IssueStatus | undefined;
  priority?: Priority | undefined;
  assigneeId?: string | undefined;
  goalId?: string | undefined;
}

const UNFINISHED = 'Open,InProgress,WaitingOnDependency,PendingReview';
const BOARD_LIMIT = 1_000;
const RESOLVED_SHOWN = 50;
const PAGE = 200;

/** The unfinished issues of a project, most urgent first, without descriptions. */
export const boardQuery = (project: string, filter: IssueFilter) =>
  queryOptions({
    queryKey: [...keys.issueLists, project, 'board', filter],
    queryFn: () =>
      issuesOf(project, { ...filter, status: UNFINISHED, sort: '-priority', limit: BOARD_LIMIT }),
  });

/** The latest resolved issues of a project, with how many there are. */
export const resolvedQuery = (project: string, filter: IssueFilter) =>
  queryOptions({
    queryKey: [...keys.issueLists, project, 'resolved', filter],
    queryFn: () =>
      issuesOf(project, {
        ...filter,
        status: 'Resolved',
        sort: '-updatedAt',
        limit: RESOLVED_SHOWN,
        count: true,
      }),
  });

/** How many issues are closed; the board says so instead of showing them. */
export const closedCountQuery = (project: string) =>
  queryOptions({
    queryKey: [...keys.issueLists, project, 'closed-count'],
    queryFn: async () => (await issuesOf(project, { status: 'Closed', limit: 1, count: true })).total ?? 0,
  });

export const listQuery = (project: string, { status, ...filter }: IssueFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.issueLists, project, 'list', { status, ...filter }],
    queryFn: ({ pageParam }) =>
      issuesOf(project, {
        ...filter,
        ...(status ? { status } : {}),
        sort: '-updatedAt',
        limit: PAGE,
        count: pageParam === null,
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });

type ListParameters = NonNullable<paths['/api/projects/{projectId}/issues']['get']['parameters']['query']>;

function issuesOf(projectId: string, query: ListParameters) {
  return pageOf(
    api.GET('/api/projects/{projectId}/issues', {
      params: { path: { projectId }, query: { ...query, fields: 'summary,why' } },
    }),
  );
}

/** An issue by its id or key. */
export const issueQuery = (issueId: string) =>
  queryOptions({
    queryKey: [...keys.openIssues, issueId, 'issue'],
    queryFn: () => bodyOf(api.GET('/api/projects/issues/{issueId}', { params: { path: { issueId } } })),
  });

export const explainQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.openIssues, id, 'explain'],
    queryFn: () =>
      bodyOf(api.GET('/api/projects/issues/{issueId}/explain', { params: { path: { issueId: id } } })),
  });

export const activityQuery = (id: string) =>
  queryOptions({
    queryKey: [...issueKey(id), 'activity'],
    queryFn: () =>
      pageOf(
        api.GET('/api/projects/issues/{issueId}/activity', {
          params: { path: { issueId: id }, query: { limit: BOARD_LIMIT } },
        }),
      ),
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
    refetchInterval: isRunning ? RUN_REFRESH_MS : false,
  });

export const commentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...issueKey(id), 'comments'],
    queryFn: () =>
      pageOf(
        api.GET('/api/projects/issues/{issueId}/comments', {
          params: { path: { issueId: id }, query: { limit: BOARD_LIMIT } },
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
