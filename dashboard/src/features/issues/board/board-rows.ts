import { replaceEqualDeep } from '@tanstack/react-query';
import type { ListedIssue, Priority } from '../../../api/types';

const ranks: Record<Priority, number> = { none: 0, low: 1, medium: 2, high: 3, urgent: 4 };

/** The service's order `-priority`: most urgent first, the latest first among equals. */
export function byPriority(a: ListedIssue, b: ListedIssue): number {
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
