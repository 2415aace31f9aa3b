import type { IssueStatus, ListedIssue } from '../../../api/types';
import { waitsForPerson } from '../reason';

export const columns = ['Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved'] as const;

export type ColumnStatus = (typeof columns)[number];

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
