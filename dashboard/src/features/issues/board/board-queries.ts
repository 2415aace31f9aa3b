import { type QueryClient, type QueryKey, queryOptions, replaceEqualDeep } from '@tanstack/react-query';
import { keys } from '../../../api/keys';
import { HEARTBEAT_REFRESH_MS } from '../../../api/lists';
import type { ListedIssue, Priority } from '../../../api/types';
import { type IssueFilter, issuesOf } from '../queries';

const ranks: Record<Priority, number> = { none: 0, low: 1, medium: 2, high: 3, urgent: 4 };

/** The service's order `-priority`: most urgent first, the latest first among equals. */
function byPriority(a: ListedIssue, b: ListedIssue): number {
  return (
    ranks[b.priority] - ranks[a.priority] || descending(a.createdAt, b.createdAt) || descending(a.id, b.id)
  );
}

const descending = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0);

/** Rows as they were read now. A row that did not change stays the same object, so that its card is not drawn again. */
export function sameWhereEqual(
  before: readonly ListedIssue[],
  now: readonly ListedIssue[],
): readonly ListedIssue[] {
  const known = new Map(before.map((row) => [row.id, row]));
  return now.map((row) => replaceEqualDeep(known.get(row.id), row) as ListedIssue);
}

/** The rows after some were read again: those that came back are in their place, those that did not are gone. */
export function withReread(
  before: readonly ListedIssue[],
  ids: ReadonlySet<string>,
  reread: readonly ListedIssue[],
): readonly ListedIssue[] {
  const others = before.filter(({ id }) => !ids.has(id));
  const now = [...others, ...sameWhereEqual(before, reread)].toSorted(byPriority);
  return now.length === before.length && now.every((row, at) => row === before[at]) ? before : now;
}

/** Whether an agent works on a row may depend on what else it has. */
const dependsOnAgent = new Set<string | undefined>(['ready', 'agent_full']);

/**
 * The ids that changed, and those of the rows whose reason may change with them although no event names them: what waits
 * for a changed issue, and what the agent of a changed issue takes next.
 */
export function alsoAffected(rows: readonly ListedIssue[], changed: ReadonlySet<string>): Set<string> {
  const agents = new Set(
    rows.filter(({ id }) => changed.has(id)).map(({ assignedAgentId }) => assignedAgentId),
  );
  agents.delete(null);
  const related = rows.filter(
    ({ why, assignedAgentId }) =>
      why?.waitsFor.some(({ id }) => id !== null && changed.has(id)) ||
      (dependsOnAgent.has(why?.reason) && agents.has(assignedAgentId)),
  );
  return new Set([...changed, ...related.map(({ id }) => id)]);
}

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
