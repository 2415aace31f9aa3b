import { useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { groupsQuery, labelsQuery } from '../../../api/lists';
import type { IssueGroup, ListedIssue } from '../../../api/types';
import { Button } from '../../../parts/button';
import { sayNumber } from '../../../parts/count';
import { LabelDot, StatusIcon } from '../../../parts/status';
import {
  childrenQuery,
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
  /** Opens or closes the parts of an issue, where they stand below it. */
  onToggle: (id: string) => void;
}

const nothing = () => undefined;

interface RowsOf {
  project: string;
  filter: IssueFilter;
  sort: Sort;
  children: (rows: Loaded) => ReactNode;
}

/** The service stops counting here (contract §1.5), and a search finds no more than that. */
const COUNTED = 10_000;
const SEARCHED = 1_000;

/**
 * All issues in one order, page by page. Where it is nested they are those of the top level, with the parts of those that are
 * open below them. It is one component for both, so that a menu stays open in which a filter is chosen.
 */
export function Plain({ nested, children, ...of }: RowsOf & { nested: boolean }) {
  const { issues: top, ...list } = usePages(of);
  const { opened, toggle } = useOpened(of.project);
  const client = useQueryClient();
  const partsOf = (id: string) => client.getQueryData(childrenQuery(id).queryKey);
  // The same ids are the same array, so that the rows are made again only where something is another one.
  const open = nested ? openIn(top, opened, partsOf).join() : '';
  const ids = useMemo(() => (open === '' ? [] : open.split(',')), [open]);
  const read = useQueries({
    queries: ids.map(childrenQuery),
    combine: (results) => results.map(({ data, isError }) => ({ data, isError })),
  });
  const items = useMemo(() => {
    const parts = new Map(ids.map((id, index) => [id, read[index]!]));
    // A list without a tree has no room for its buttons.
    const isTree = nested && top.some(({ children: { total } }) => total > 0);
    return isTree ? branchesOf(top, opened, parts) : top.map(itemOf);
  }, [nested, top, opened, ids, read]);
  const issues = useMemo(() => items.flatMap((item) => (item.kind === 'issue' ? [item.issue] : [])), [items]);
  return children({ ...list, items, issues, onToggle: toggle });
}

/** The branches that are open, by project: whoever comes back from an issue finds them as they were. */
const keptOpen = new Map<string, ReadonlySet<string>>();

function useOpened(project: string) {
  const [opened, setOpened] = useState(keptOpen.get(project) ?? new Set<string>());
  const toggle = useCallback(
    (id: string) =>
      setOpened((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        keptOpen.set(project, next);
        return next;
      }),
    [project],
  );
  return { opened, toggle };
}

type Parts = readonly ListedIssue[] | undefined;

/** The ids of the issues on screen whose parts are open. */
function openIn(
  issues: readonly ListedIssue[],
  opened: ReadonlySet<string>,
  partsOf: (id: string) => Parts,
): string[] {
  const open = issues.filter(({ id, children: { total } }) => total > 0 && opened.has(id));
  return open.flatMap(({ id }) => [id, ...openIn(partsOf(id) ?? [], opened, partsOf)]);
}

/** The rows of issues and of the parts of those that are open. */
function branchesOf(
  issues: readonly ListedIssue[],
  opened: ReadonlySet<string>,
  parts: ReadonlyMap<string, { data: Parts; isError: boolean }>,
  level = 1,
  parent: string | null = null,
): Item[] {
  return issues.flatMap((issue): Item[] => {
    const isOpen = issue.children.total > 0 ? opened.has(issue.id) : null;
    const row: Item = { ...itemOf(issue), branch: { level, isOpen, parent } };
    if (!isOpen) return [row];
    const { data, isError = false } = parts.get(issue.id) ?? {};
    const note = isError ? `The sub-issues of ${issue.key} could not be read.` : 'Loading …';
    const below: Item[] = data
      ? branchesOf(data, opened, parts, level + 1, issue.key)
      : [{ kind: 'note', id: `parts ${issue.id}`, children: note }];
    return [row, ...below];
  });
}

/** The pages of a list that have been read. */
function usePages({ project, filter, sort }: Omit<RowsOf, 'children'>) {
  const list = useInfiniteQuery(listQuery(project, filter, sort));
  const issues = useMemo(() => unique(list.data?.pages.flatMap(({ rows }) => rows) ?? []), [list.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const total = list.data?.pages[0]?.total ?? null;
  return {
    issues,
    total,
    capped: total === (filter.q === undefined ? COUNTED : SEARCHED),
    isPending: list.isPending,
    error: list.error,
    onRetry: () => void list.refetch(),
    onEnd,
  };
}

const itemOf = (issue: ListedIssue): Item & { kind: 'issue' } => ({ kind: 'issue', id: issue.id, issue });

/** One that moved from page to page while they were read is there once. */
const unique = (issues: readonly ListedIssue[]): ListedIssue[] => [
  ...new Map(issues.map((issue) => [issue.id, issue])).values(),
];

/** The filter that finds a group. An issue has all the labels of a filter, so that the one of its group is one more. */
function filterOf(filter: IssueFilter, by: Grouping, value: string): IssueFilter {
  const before = by === 'label' && filter.label !== undefined ? `${filter.label},` : '';
  return { ...filter, [filterOfGroup[by]]: before + value };
}

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
      ...groupedQuery(project, filterOf(filter, by, value), sort, limitOf(value)),
      enabled: isOpen(value, index),
    })),
  });
  const labels = useQuery({ ...labelsQuery(project), enabled: by === 'label' }).data;
  const signOf = ({ value, status }: IssueGroup) => {
    const label = labels?.find(({ id }) => id === value);
    if (by === 'parent' && status !== null) return <StatusIcon status={status} />;
    return label && <LabelDot color={label.color} />;
  };
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
      sign: signOf(group),
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
    onEnd: nothing,
    onToggle: nothing,
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
