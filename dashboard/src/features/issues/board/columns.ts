import type { IssueStatus, ListedIssue } from '../../../api/types';

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
