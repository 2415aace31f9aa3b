import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, pageOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { LiveEvent } from '../../live/event-table';

const PAGE = 50;

/** What the log is narrowed to; it lives in the query string. */
export interface ActivityFilter {
  /** A family of types, such as `issue.*`, or one type. */
  type?: string | undefined;
  /** A user or an agent. */
  actorId?: string | undefined;
}

/** The log, newest first, page by page. Nothing refreshes it by itself: rows never move under the reader. */
export const activityQuery = (filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: [...keys.audit, filter],
    queryFn: ({ pageParam }) =>
      pageOf(
        api.GET('/api/audit', {
          params: {
            query: {
              limit: PAGE,
              ...(filter.type === undefined ? {} : { type: filter.type }),
              ...(filter.actorId === undefined ? {} : { actorId: filter.actorId }),
              ...(pageParam === null ? {} : { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnReconnect: false,
  });

/** Whether a live event is an entry that the filter would show. */
export function matches(
  { type, actorId }: ActivityFilter,
  event: Pick<LiveEvent, 'type' | 'actor'>,
): boolean {
  if (actorId !== undefined && event.actor.id !== actorId) return false;
  if (type === undefined) return true;
  return type.endsWith('*') ? event.type.startsWith(type.slice(0, -1)) : event.type === type;
}

/** The families that can be chosen, with their words. */
export const families = [
  ['issue.*', 'Issues'],
  ['comment.*', 'Comments'],
  ['attachment.*', 'Attachments'],
  ['link.*', 'Links'],
  ['gate.*', 'Decisions'],
  ['budget.*', 'Budgets'],
  ['goal.*', 'Goals'],
  ['project.*', 'Projects'],
  ['agent.*', 'Agents'],
  ['user.*', 'Users'],
  ['key.*', 'Keys'],
  ['login.*', 'Sign-ins'],
  ['access.*', 'Refusals'],
  ['webhook.*', 'Webhooks'],
  ['mcp.server.*', 'Servers'],
  ['mcp.tool.*', 'Tools'],
  ['mcp.access.*', 'Access to servers'],
] as const;
