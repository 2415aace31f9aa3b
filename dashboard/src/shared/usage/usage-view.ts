import { groupings, type Grouping, type UsageView } from './queries';

const windows = [1, 7];

/** Reads a view of usage out of the query string; anything else is the usual view. */
export function usageViewOf({ by, days }: Record<string, unknown>): UsageView {
  return {
    by: groupings.includes(by as Grouping) ? (by as Grouping) : undefined,
    days: windows.includes(days as number) ? (days as number) : undefined,
  };
}
