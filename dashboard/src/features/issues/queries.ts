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

const PAGE = 200;
/** How many comments and rows of the timeline an issue shows. */
const HISTORY_SHOWN = 1_000;

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
          params: { path: { issueId: id }, query: { limit: HISTORY_SHOWN } },
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
