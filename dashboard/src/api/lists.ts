import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, nextCursorIn, pageOf } from './client';
import { keys } from './keys';
import type { AttentionItem, AttentionTab } from './types';

/** Heartbeats are not events, so a screen that shows them asks again at this interval while it is visible. */
export const HEARTBEAT_REFRESH_MS = 30_000;

/** How many causes are loaded at once. */
const ATTENTION_PAGE = 100;
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
    refetchInterval: HEARTBEAT_REFRESH_MS,
  });

/** How much needs a person in all: the service counts it, whatever is loaded. */
export const attentionCountsQuery = queryOptions({
  queryKey: [...keys.attention, 'tabs'],
  queryFn: async () => (await attentionPage({}, 1, null)).tabs ?? null,
  refetchInterval: HEARTBEAT_REFRESH_MS,
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
