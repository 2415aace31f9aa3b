import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, pageOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { CallOutcome } from '../../api/types';
import { mcp } from '../../session/elevated/elevated-mode';

/** Whose calls are listed. Those of an issue need no elevated mode. */
export interface CallSubject {
  kind: 'issue' | 'agent' | 'server';
  id: string;
}

const PAGE = 50;
const REFRESH_MS = 10_000;

/** The records of tool calls, newest first, page by page. Only a list that has one page refreshes by itself. */
export const callsQuery = ({ kind, id }: CallSubject, outcome: CallOutcome | undefined) =>
  infiniteQueryOptions({
    queryKey: [...keys.calls, kind, id, outcome ?? 'any'],
    queryFn: ({ pageParam }) => {
      const query = {
        limit: PAGE,
        ...(outcome !== undefined && { outcome }),
        ...(pageParam !== null && { cursor: pageParam }),
      };
      if (kind === 'issue')
        return pageOf(
          api.GET('/api/projects/issues/{issueId}/calls', { params: { path: { issueId: id }, query } }),
        );
      const narrowed = kind === 'agent' ? { ...query, agentId: id } : { ...query, serverId: id };
      return pageOf(mcp.GET('/api/mcp/calls', { params: { query: narrowed } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : REFRESH_MS),
  });

/** How the calls of the last 24 hours ended, by tool. */
export const callSummaryQuery = ({ kind, id }: CallSubject) =>
  queryOptions({
    queryKey: [...keys.calls, kind, id, 'summary'],
    queryFn: () =>
      bodyOf(
        mcp.GET('/api/mcp/calls/summary', {
          params: { query: kind === 'agent' ? { agentId: id } : { serverId: id } },
        }),
      ),
    refetchInterval: REFRESH_MS,
  });
