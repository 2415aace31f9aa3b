import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { groupsQuery } from '../../../api/lists';
import type { IssueGroup, ListedIssue } from '../../../api/types';
import { Button } from '../../../parts/button';
import { sayNumber } from '../../../parts/count';
import {
  filterOfGroup,
  groupedQuery,
  type Grouping,
  type IssueFilter,
  listQuery,
  type Sort,
} from '../queries';
import type { Item } from './row';

/** What a list has read so far. */
export interface Loaded {
  items: readonly Item[];
  issues: readonly ListedIssue[];
  /** How many match in all, by the service's count; null before it has come. */
  total: number | null;
  /** Whether there are more than the service counts. */
  capped: boolean;
  isPending: boolean;
  error: unknown;
  onRetry: () => void;
  onEnd: () => void;
}

interface RowsOf {
  project: string;
  filter: IssueFilter;
  sort: Sort;
  children: (rows: Loaded) => ReactNode;
}

/** The service stops counting here (contract §1.5), and a search finds no more than that. */
const COUNTED = 10_000;
const SEARCHED = 1_000;

/** All issues in one order, page by page. */
export function Plain({ project, filter, sort, children }: RowsOf) {
  const list = useInfiniteQuery(listQuery(project, filter, sort));
  const issues = useMemo(() => unique(list.data?.pages.flatMap(({ rows }) => rows) ?? []), [list.data]);
  const items = useMemo(() => issues.map(itemOf), [issues]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = list.data?.pages[0]?.total ?? null;
  return children({
    items,
    issues,
    total,
    capped: total === (filter.q === undefined ? COUNTED : SEARCHED),
    isPending: list.isPending,
    error: list.error,
    onRetry: () => void list.refetch(),
    onEnd,
  });
}

const itemOf = (issue: ListedIssue): Item => ({ kind: 'issue', id: issue.id, issue });

/** One that moved from page to page while they were read is there once. */
const unique = (issues: readonly ListedIssue[]): ListedIssue[] => [
  ...new Map(issues.map((issue) => [issue.id, issue])).values(),
];

const FIRST_ROWS = 50;
const MOST_ROWS = 1_000;
/** So many groups are open at first: each takes a request. */
const OPEN_AT_FIRST = 6;

/** The issues under the heads of their groups, which have the service's counts; the first ones of each are read. */
export function Grouped({ project, filter, sort, by, children }: RowsOf & { by: Grouping }) {
  const counts = useQuery(groupsQuery(project, by, filter));
  const groups = useStableOrder(counts.data?.groups, JSON.stringify([by, filter]));
  const [folded, setFolded] = useState<Readonly<Record<string, boolean>>>({});
  const [limits, setLimits] = useState<Readonly<Record<string, number>>>({});
  const isOpen = (value: string, index: number) => !(folded[value] ?? index >= OPEN_AT_FIRST);
  const limitOf = (value: string) => limits[value] ?? FIRST_ROWS;
  const read = useQueries({
    queries: groups.map(({ value }, index) => ({
      ...groupedQuery(project, { ...filter, [filterOfGroup[by]]: value }, sort, limitOf(value)),
      enabled: isOpen(value, index),
    })),
  });
  const shown = groups.map((group, index) => ({
    group,
    isOpen: isOpen(group.value, index),
    rows: read[index]?.data?.rows,
    error: read[index]?.error ?? null,
  }));
  const items = shown.flatMap(({ group, isOpen: open, rows, error }): Item[] => [
    {
      kind: 'group',
      id: `group ${group.value}`,
      by,
      group,
      isOpen: open,
      onToggle: () => setFolded((before) => ({ ...before, [group.value]: open })),
    },
    ...(open
      ? (rows ?? []).map((issue): Item => ({ ...itemOf(issue), id: `${group.value} ${issue.id}` }))
      : []),
    ...(open
      ? restOf(group, rows?.length ?? null, error, () =>
          setLimits((before) => ({
            ...before,
            [group.value]: Math.min(MOST_ROWS, limitOf(group.value) * 4),
          })),
        )
      : []),
  ]);
  return children({
    items,
    issues: unique(shown.flatMap(({ isOpen: open, rows }) => (open ? (rows ?? []) : []))),
    total: counts.data?.total ?? null,
    capped: counts.data?.capped ?? false,
    isPending: counts.isPending,
    error: counts.error,
    onRetry: () => void counts.refetch(),
    onEnd: () => undefined,
  });
}

/**
 * The groups that have issues, each where it stood first: counts that change move none of them.
 * @param of what they are groups of: others stand in the order of the service
 */
function useStableOrder(counted: readonly IssueGroup[] | undefined, of: string): readonly IssueGroup[] {
  const known = useRef({ of, places: new Map<string, number>() });
  if (known.current.of !== of) known.current = { of, places: new Map() };
  const { places } = known.current;
  return useMemo(() => {
    const groups = counted?.filter(({ issues }) => issues > 0) ?? [];
    for (const { value } of counted ?? []) if (!places.has(value)) places.set(value, places.size);
    return groups.toSorted((a, b) => places.get(a.value)! - places.get(b.value)!);
  }, [counted, places]);
}

/** The row after those of a group that are shown: what is missing, and how to see it. */
function restOf(
  { value, issues }: IssueGroup,
  shown: number | null,
  error: unknown,
  onMore: () => void,
): Item[] {
  const note = (children: ReactNode): Item[] => [{ kind: 'note', id: `rest ${value}`, children }];
  if (shown === null) return note(error ? 'This group could not be read.' : 'Loading …');
  if (shown >= issues) return [];
  if (shown >= MOST_ROWS)
    return note(`${sayNumber(issues - shown)} more: narrow the list by a filter to see them.`);
  return note(
    <Button small look="quiet" onClick={onMore}>
      Show more: {sayNumber(issues - shown)} are left
    </Button>,
  );
}
