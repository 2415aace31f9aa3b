import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, nextCursorIn, pageOf } from './client';
import { keys } from './keys';
import type { AttentionItem } from './types';

/** Heartbeats are not events, so a screen that shows them asks again at this interval while it is visible. */
export const HEARTBEAT_REFRESH_MS = 30_000;

/** How many causes are loaded at once. */
const ATTENTION_PAGE = 100;

/**
 * What needs a person, page by page: one item per cause, what holds up most first, with how many of each kind there are in
 * all. Agents fall silent without an event.
 */
export const attentionQuery = (projectId?: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.attention, 'items', projectId ?? null],
    queryFn: async ({ pageParam }) => {
      const query = {
        limit: ATTENTION_PAGE,
        ...(projectId === undefined ? {} : { projectId }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      };
      const { data, response } = await api.GET('/api/attention', { params: { query } });
      return { items: data?.items ?? [], counts: data?.counts, nextCursor: nextCursorIn(response) };
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: HEARTBEAT_REFRESH_MS,
  });

type AttentionPages = {
  pages: readonly { items: AttentionItem[]; counts?: Record<string, number> | undefined }[];
};

/** The causes that are loaded. One that moved from page to page while they were read is there once. */
export function causesIn(data: AttentionPages | undefined): AttentionItem[] {
  const found = new Map<string, AttentionItem>();
  for (const { items } of data?.pages ?? [])
    for (const item of items) if (!found.has(item.id)) found.set(item.id, item);
  return [...found.values()];
}

/** How many causes there are, on all pages. */
export function causesInAll(data: AttentionPages | undefined): number {
  return Object.values(data?.pages[0]?.counts ?? {}).reduce((sum, count) => sum + count, 0);
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
