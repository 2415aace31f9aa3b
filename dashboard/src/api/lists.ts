import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, pageOf } from './client';
import { keys } from './keys';

/** Heartbeats are not events, so a screen that shows them asks again at this interval while it is visible. */
export const HEARTBEAT_REFRESH_MS = 30_000;

const ATTENTION_SHOWN = 100;

/** What needs a person: one item per cause, what holds up most first, with how many of each kind. Agents fall silent without an event. */
export const attentionQuery = queryOptions({
  queryKey: [...keys.attention, 'items'],
  queryFn: () => bodyOf(api.GET('/api/attention', { params: { query: { limit: ATTENTION_SHOWN } } })),
  refetchInterval: HEARTBEAT_REFRESH_MS,
});

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
