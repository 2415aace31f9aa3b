import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, nextCursorIn, pageOf } from './client';
import { keys } from './keys';
import { every } from './problem';
import type { AttentionItem, AttentionTab, Issue, IssueGrouping } from './types';

/** Heartbeats are not events, so a screen that shows them asks again at this interval while it is visible. */
export const HEARTBEAT_REFRESH_MS = 30_000;

/** How many causes are loaded at once. */
const ATTENTION_PAGE = 60;
/** How many are loaded at once where all of them are wanted. */
const WHOLE_PAGE = 1_000;

/** What narrows Needs you; the address of its page has the same fields. */
export interface AttentionFilter {
  tab?: AttentionTab | undefined;
  projectId?: string | undefined;
  agentId?: string | undefined;
  mine?: true | undefined;
  snoozed?: true | undefined;
  ids?: string[] | undefined;
  group?: string | undefined;
}

async function attentionPage(filter: AttentionFilter, limit: number, cursor: string | null) {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
  const query = { ...given, limit, ...(cursor === null ? {} : { cursor }) };
  const { data, response } = await api.GET('/api/attention', { params: { query } });
  return { items: data?.items ?? [], tabs: data?.tabs, nextCursor: nextCursorIn(response) };
}

/**
 * What needs a person, page by page: one item per cause, what holds up most first, with how many each tab has in all. Agents
 * fall silent without an event.
 */
export const attentionQuery = (filter: AttentionFilter = {}) =>
  infiniteQueryOptions({
    queryKey: [...keys.attention, 'items', filter],
    queryFn: ({ pageParam }) => attentionPage(filter, ATTENTION_PAGE, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: every(HEARTBEAT_REFRESH_MS),
  });

/** How much needs a person in all: the service counts it, whatever is loaded. */
export const attentionCountsQuery = queryOptions({
  queryKey: [...keys.attention, 'tabs'],
  queryFn: async () => (await attentionPage({}, 1, null)).tabs ?? null,
  refetchInterval: every(HEARTBEAT_REFRESH_MS),
});

/** Reads all causes that a filter leaves. */
export async function allCauses(filter: AttentionFilter): Promise<AttentionItem[]> {
  const found: AttentionItem[] = [];
  for (let cursor: string | null = null; ;) {
    const { items, nextCursor }: Awaited<ReturnType<typeof attentionPage>> = await attentionPage(
      ...([filter, WHOLE_PAGE, cursor] as const),
    );
    found.push(...items);
    if (nextCursor === null) return found;
    cursor = nextCursor;
  }
}

/** The causes that are loaded. One that moved from page to page while they were read is there once. */
export function causesIn(
  data: { pages: readonly { items: AttentionItem[] }[] } | undefined,
): AttentionItem[] {
  const found = new Map<string, AttentionItem>();
  for (const { items } of data?.pages ?? [])
    for (const item of items) if (!found.has(item.id)) found.set(item.id, item);
  return [...found.values()];
}

/** All agents that are not retired, oldest first. */
export const agentsQuery = queryOptions({
  queryKey: keys.agents,
  queryFn: async () => (await bodyOf(api.GET('/api/agents'))) ?? [],
});

/** The projects that the person sees, oldest first. */
export const projectsQuery = queryOptions({
  queryKey: keys.projects,
  queryFn: async () => (await pageOf(api.GET('/api/projects'))).rows,
});

/** The labels of a project by name; a project has 500 at most. */
export const labelsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.labels, projectId],
    queryFn: async () =>
      (
        await pageOf(
          api.GET('/api/projects/{projectId}/labels', {
            params: { path: { projectId }, query: { limit: 500 } },
          }),
        )
      ).rows,
  });

/** Those who can be given an issue of a project, and act on it. */
export const peopleQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.users, 'people', projectId],
    queryFn: async () =>
      (await pageOf(api.GET('/api/people', { params: { query: { projectId, limit: 1_000 } } }))).rows,
  });

/** Users by id and name; Admins only. */
export const usersQuery = queryOptions({
  queryKey: keys.users,
  queryFn: async () => (await pageOf(api.GET('/api/users', { params: { query: { limit: 1_000 } } }))).rows,
});

export type FoundIssue = Pick<Issue, 'id' | 'key' | 'title' | 'status' | 'assignee'>;

/** The service answers so few with the best matches first. */
const ANSWERED = 8;
const UNFINISHED = 'Open,InProgress,WaitingOnDependency,PendingReview';

/**
 * The issues of all projects that match best: by key, by title, by text. A number is also that of an issue of the project
 * that the person is in, whose issues come where nothing is asked. Answers for what is no longer typed are dropped.
 */
export const foundIssuesQuery = (q: string, projectId: string | null, which: 'any' | 'unfinished' = 'any') =>
  queryOptions({
    queryKey: [...keys.issueLists, 'found', q, projectId, which],
    queryFn: async ({ signal }): Promise<FoundIssue[]> => {
      const query = {
        ...(q === '' ? {} : { q }),
        ...(which === 'any' ? {} : { status: UNFINISHED }),
        sort: '-updatedAt',
        fields: 'summary',
        limit: ANSWERED,
      } as const;
      const isOfProject = projectId !== null && /^\d*$/.test(q);
      const [here, everywhere] = await Promise.all([
        isOfProject
          ? bodyOf(
              api.GET('/api/projects/{projectId}/issues', { params: { path: { projectId }, query }, signal }),
            )
          : [],
        q === '' && isOfProject ? [] : bodyOf(api.GET('/api/projects/issues', { params: { query }, signal })),
      ]);
      const found = [...(here ?? []), ...(everywhere ?? [])].map((issue) => [issue.key, issue] as const);
      return [...new Map(found).values()].slice(0, ANSWERED);
    },
  });

/** How many issues of a project match a filter, by what they have: the service's own counts. */
export const groupsQuery = (projectId: string, by: IssueGrouping, filter: object = {}) =>
  queryOptions({
    queryKey: [...keys.issueLists, projectId, 'groups', by, filter],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/projects/{projectId}/issues/groups', {
          params: { path: { projectId }, query: { ...filter, by } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** How many issues of a project have each status, and what those that wait wait for. */
export const countsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...keys.issueLists, projectId, 'counts'],
    queryFn: () => bodyOf(api.GET('/api/projects/{projectId}/counts', { params: { path: { projectId } } })),
  });
