import type { Query, QueryClient } from '@tanstack/react-query';
import { keys } from '../../../api/keys';
import type { IssueStatus, ListedIssue } from '../../../api/types';
import { type IssueFilter, issuesOf } from '../queries';
import { waitsForPerson } from '../reason';
import { alsoAffected, type Cards, closedKey, resolvedKey, withReread } from './board-queries';

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

/** A number of issues; `+` where there are more that were not read. */
export const atLeast = (count: number, isWhole: boolean): string => `${count}${isWhole ? '' : '+'}`;

/** The issues of a column; Waiting is split by who must act, what waits for a person first. */
export function groupsOf(
  status: IssueStatus,
  issues: readonly ListedIssue[],
): { name: string | null; members: readonly ListedIssue[] }[] {
  const forPerson = status === 'WaitingOnDependency' ? issues.filter(waitsForPerson) : [];
  if (forPerson.length === 0) return [{ name: null, members: issues }];
  return [
    { name: 'For a person', members: forPerson },
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
      await Promise.all(
        [resolvedKey(project), closedKey(project)].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
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
