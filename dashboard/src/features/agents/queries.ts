import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, pageOf } from '../../api/client';
import { keys } from '../../api/keys';

const SHOWN = 100;

/** The unfinished issues of an agent, most urgent first: what it works on, and what comes next. */
export const assignedIssuesQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keys.issueLists, 'agent', agentId],
    queryFn: () =>
      pageOf(
        api.GET('/api/projects/issues', {
          params: {
            query: {
              assigneeId: agentId,
              status: 'InProgress,Open,WaitingOnDependency,PendingReview',
              sort: '-priority',
              fields: 'summary',
              limit: SHOWN,
              count: true,
            },
          },
        }),
      ),
  });

/** Every tool of every server, and why the agent has it or not; Admins only. */
export const agentToolsQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keys.access, 'tools', agentId],
    queryFn: async () =>
      (await bodyOf(api.GET('/api/agents/{agentId}/tools', { params: { path: { agentId } } }))) ?? [],
  });

/** An agent's keys without their secrets, oldest first; Admins only. */
export const agentKeysQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keys.apiKeys, 'agent', agentId],
    queryFn: async () =>
      (await pageOf(api.GET('/api/agents/{agentId}/keys', { params: { path: { agentId } } }))).rows,
  });
