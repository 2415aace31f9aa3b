import { queryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { keys } from '../../../api/keys';
import { HEARTBEAT_REFRESH_MS } from '../../../api/lists';
import type { ListedIssue } from '../../../api/types';
import { issuesOf, type IssueFilter } from '../queries';
import { byPriority, sameWhereEqual } from './board-rows';

const UNFINISHED = 'Open,InProgress,WaitingOnDependency,PendingReview';
/** A page is small enough to be read into the cache without a pause that a person notices. */
const PAGE = 500;
const CARDS_MAX = 3_000;
const RESOLVED_SHOWN = 50;

/** The unfinished issues of a project, most urgent first. */
export interface Cards {
  rows: readonly ListedIssue[];
  /** Whether no further ones are to be read, or are left out above {@link CARDS_MAX}. */
  isWhole: boolean;
}

const cardsKey = (project: string) => [...keys.boards, project, 'cards'] as const;

/**
 * The unfinished issues of a project, page by page; the first page is shown while the others are read. Events have the
 * cards that they name read again (see board-cards.ts). Now and then all are read, because heartbeats are no events.
 */
export const cardsQuery = (project: string, filter: IssueFilter) =>
  queryOptions({
    queryKey: [...cardsKey(project), filter],
    queryFn: ({ client, queryKey, signal }) => readCards(client, queryKey, project, filter, signal),
    structuralSharing: false,
    // Cards that are not on screen follow no events.
    staleTime: 0,
    refetchInterval: HEARTBEAT_REFRESH_MS,
  });

async function readCards(
  client: QueryClient,
  queryKey: QueryKey,
  project: string,
  filter: IssueFilter,
  signal: AbortSignal,
): Promise<Cards> {
  const before = client.getQueryData<Cards>(queryKey);
  const rows = new Map<string, ListedIssue>();
  const query = { ...filter, status: UNFINISHED, sort: '-priority', limit: PAGE } as const;
  let cursor: string | null = null;
  do {
    const page = await issuesOf(project, cursor === null ? query : { ...query, cursor }, signal);
    for (const row of sameWhereEqual(before?.rows ?? [], page.rows)) rows.set(row.id, row);
    cursor = page.nextCursor;
    if (before === undefined && cursor !== null)
      client.setQueryData<Cards>(queryKey, { rows: [...rows.values()], isWhole: false });
  } while (cursor !== null && rows.size < CARDS_MAX);
  return { rows: [...rows.values()].toSorted(byPriority), isWhole: cursor === null };
}

export const resolvedKey = (project: string) => [...keys.boards, project, 'resolved'] as const;

/** The latest resolved issues of a project, with how many there are. */
export const resolvedQuery = (project: string, filter: IssueFilter) =>
  queryOptions({
    queryKey: [...resolvedKey(project), filter],
    queryFn: () =>
      issuesOf(project, {
        ...filter,
        status: 'Resolved',
        sort: '-updatedAt',
        limit: RESOLVED_SHOWN,
        count: true,
      }),
    staleTime: 0,
  });

export const closedKey = (project: string) => [...keys.boards, project, 'closed'] as const;

/** How many issues are closed; the board says so instead of showing them. */
export const closedCountQuery = (project: string) =>
  queryOptions({
    queryKey: closedKey(project),
    queryFn: async () => (await issuesOf(project, { status: 'Closed', limit: 1, count: true })).total ?? 0,
    staleTime: 0,
    refetchInterval: HEARTBEAT_REFRESH_MS,
  });
