import {
  type Query,
  type QueryClient,
  type QueryKey,
  queryOptions,
  replaceEqualDeep,
} from '@tanstack/react-query';
import { keys } from '../../../api/keys';
import { HEARTBEAT_REFRESH_MS } from '../../../api/lists';
import { every } from '../../../api/problem';
import type { IssueStatus, ListedIssue, Priority } from '../../../api/types';
import { type IssueFilter, issuesOf } from '../queries';
import { waitsForPerson } from '../reason';

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
    refetchInterval: every(HEARTBEAT_REFRESH_MS),
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

/** The latest resolved issues of a project. */
export const resolvedQuery = (project: string, filter: IssueFilter) =>
  queryOptions({
    queryKey: [...resolvedKey(project), filter],
    queryFn: () =>
      issuesOf(project, {
        ...filter,
        status: 'Resolved',
        sort: '-updatedAt',
        limit: RESOLVED_SHOWN,
      }),
    staleTime: 0,
  });

export const columns = ['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved'] as const;

type ColumnStatus = (typeof columns)[number];

/** The issues by column. A card whose move is pending stands where it goes to; one that is being closed is gone. */
export function columnsOf(
  issues: readonly ListedIssue[],
  moves: ReadonlyMap<string, IssueStatus>,
): Record<ColumnStatus, ListedIssue[]> {
  const result = Object.fromEntries(columns.map((status) => [status, []])) as unknown as Record<
    ColumnStatus,
    ListedIssue[]
  >;
  for (const issue of issues) {
    const status = moves.get(issue.id) ?? issue.status;
    if (status !== 'Closed') result[status].push(issue);
  }
  return result;
}

/** Each issue once: one that was just resolved may be among both what is unfinished and what is resolved. */
export function newestOf(issues: readonly ListedIssue[]): readonly ListedIssue[] {
  const byId = new Map<string, ListedIssue>();
  for (const issue of issues)
    if ((byId.get(issue.id)?.version ?? 0) <= issue.version) byId.set(issue.id, issue);
  return [...byId.values()];
}

/** The issues of a column; Waiting is split by who must act, what waits for a person first. */
export function groupsOf(
  status: IssueStatus,
  issues: readonly ListedIssue[],
): { name: string | null; members: readonly ListedIssue[]; isForPerson?: boolean }[] {
  const forPerson = status === 'WaitingOnDependency' ? issues.filter(waitsForPerson) : [];
  if (forPerson.length === 0) return [{ name: null, members: issues }];
  return [
    { name: 'For a person', members: forPerson, isForPerson: true },
    { name: 'For work', members: issues.filter((issue) => !waitsForPerson(issue)) },
  ];
}

/** What one request can name (contract §5.2). */
const IDS_MAX = 200;

/** Reads again what shows some issues: their cards on the boards on screen, and everything else about issues. */
export async function refreshIssues(client: QueryClient, ids: readonly string[]): Promise<void> {
  const [, board] = keys.boards;
  await Promise.all([
    client.invalidateQueries({ queryKey: keys.issues, predicate: ({ queryKey }) => queryKey[1] !== board }),
    rereadCards(client, ids),
  ]);
}

/** Reads again the cards of some issues, with one request per board on screen. */
export async function rereadCards(client: QueryClient, ids: readonly string[]): Promise<void> {
  const boards = client.getQueryCache().findAll({
    queryKey: keys.boards,
    type: 'active',
    predicate: ({ queryKey }) => queryKey[3] === 'cards',
  });
  await Promise.all(boards.map((board) => rereadBoard(client, board as unknown as Query<Cards>, ids)));
}

async function rereadBoard(client: QueryClient, board: Query<Cards>, ids: readonly string[]): Promise<void> {
  const project = board.queryKey[2] as string;
  const filter = board.queryKey[4] as IssueFilter;
  // A whole read that began before would put its older rows over those that are read now.
  await board.promise?.catch(() => undefined);
  const before = board.state.data?.rows ?? [];
  const asked = [...alsoAffected(before, new Set(ids))].slice(0, IDS_MAX);
  try {
    if (ids.length > IDS_MAX) throw new TooManyCards();
    const { rows } = await issuesOf(project, { ...filter, ids: asked.join(), limit: IDS_MAX });
    const unfinished = rows.filter(isUnfinished);
    client.setQueryData<Cards>(board.queryKey, (cards) => cards && withCards(cards, asked, unfinished));
    if (
      rows.length > unfinished.length ||
      haveOthers(asked, before, unfinished) ||
      showsResolved(client, project, asked)
    )
      await client.invalidateQueries({ queryKey: resolvedKey(project) });
  } catch {
    // The whole board says what is wrong, and tries again where that makes sense.
    await client.invalidateQueries({ queryKey: [...keys.boards, project] });
  }
}

class TooManyCards extends Error {}

const isUnfinished = ({ status }: ListedIssue): boolean => status !== 'Resolved' && status !== 'Closed';

function withCards(cards: Cards, asked: readonly string[], reread: readonly ListedIssue[]): Cards {
  const rows = withReread(cards.rows, new Set(asked), reread);
  return rows === cards.rows ? cards : { ...cards, rows };
}

/** Whether some of the asked issues have come to the board or left it. */
function haveOthers(
  asked: readonly string[],
  before: readonly ListedIssue[],
  now: readonly ListedIssue[],
): boolean {
  const [had, has] = [before, now].map((rows) => new Set(rows.map(({ id }) => id)));
  return asked.some((id) => had!.has(id) !== has!.has(id));
}

/** Whether one of the asked issues stands in the column of resolved ones. */
function showsResolved(client: QueryClient, project: string, asked: readonly string[]): boolean {
  return client
    .getQueriesData<{ rows: readonly ListedIssue[] }>({ queryKey: resolvedKey(project) })
    .some(([, page]) => page?.rows.some(({ id }) => asked.includes(id)));
}
