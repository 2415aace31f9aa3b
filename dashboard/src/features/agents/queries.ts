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
              fields: 'summary,why',
              limit: SHOWN,
              count: true,
            },
          },
        }),
      ),
  });

/** The issues that agents work on now, by the agent's id: one request for all agents. */
export const workingQuery = queryOptions({
  queryKey: [...keys.issueLists, 'working'],
  queryFn: async () => {
    const query = { status: 'InProgress', fields: 'summary', sort: '-priority', limit: 1_000 } as const;
    const { rows } = await pageOf(api.GET('/api/projects/issues', { params: { query } }));
    const byAgent = new Map<string, typeof rows>();
    for (const issue of rows)
      if (issue.assignee) byAgent.set(issue.assignee.id, [...(byAgent.get(issue.assignee.id) ?? []), issue]);
    return byAgent;
  },
});

/** Every tool of every server, and why the agent has it or not; Admins only. */
export const agentToolsQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keys.access, 'tools', agentId],
    queryFn: async () =>
      (await bodyOf(api.GET('/api/agents/{agentId}/tools', { params: { path: { agentId } } }))) ?? [],
  });

/** What an agent is granted of each server; Admins only. */
export const agentAccessQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keys.access, 'agent', agentId],
    queryFn: async () =>
      (await bodyOf(api.GET('/api/agents/{agentId}/access', { params: { path: { agentId } } }))) ?? [],
  });

/** An agent's keys without their secrets, oldest first; Admins only. */
export const agentKeysQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keys.apiKeys, 'agent', agentId],
    queryFn: async () =>
      (await pageOf(api.GET('/api/agents/{agentId}/keys', { params: { path: { agentId } } }))).rows,
  });
