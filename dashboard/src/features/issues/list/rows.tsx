import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ListedIssue } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { useRevealed, useSteps } from '../../../keyboard/use-steps';
import { currentDensity } from '../../../theme/preferences';
import { type Command, IssueCommands } from '../commands/issue-commands';
import type { Sort } from '../queries';
import type { Known } from '../sending';
import { Heads, timeOf, useColumnWidths } from './columns';
import styles from './list-screen.module.css';
import { type Item, ItemRow } from './row';

/** Which issues of a list are chosen for a change of several. */
export interface Selection {
  chosen: ReadonlyMap<string, Known>;
  /** Chooses an issue, or not any more. The next range begins there. */
  toggle: (issue: Known) => void;
  /** Chooses all between the one that was chosen last and this one, in the order of the rows. */
  extend: (to: Known, rows: readonly Known[]) => void;
  /** Chooses these and no others. */
  replace: (issues: readonly Known[]) => void;
  clear: () => void;
}

type Chosen = ReadonlyMap<string, Known>;

/** Null for those who may not change issues. */
export function useSelection(editable: boolean): Selection | null {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  // Where a range begins, and what was chosen before: a range that becomes shorter gives back what it took.
  const anchor = useRef<{ id: string; before: Chosen } | null>(null);
  return useMemo(() => {
    if (!editable) return null;
    const set = (next: Chosen, from: string | null) => {
      anchor.current = from === null ? null : { id: from, before: next };
      setChosen(next);
    };
    return {
      chosen,
      toggle: (issue) => set(toggled(chosen, issue), issue.id),
      extend: (to, rows) => {
        anchor.current ??= { id: to.id, before: chosen };
        const { id, before } = anchor.current;
        setChosen(
          new Map([...before, ...between(rows, id, to.id).map((issue) => [issue.id, issue] as const)]),
        );
      },
      replace: (issues) => set(new Map(issues.map((issue) => [issue.id, issue])), null),
      clear: () => set(new Map(), null),
    };
  }, [editable, chosen]);
}

function toggled(chosen: Chosen, issue: Known): Chosen {
  const next = new Map(chosen);
  if (!next.delete(issue.id)) next.set(issue.id, issue);
  return next;
}

/** The rows from one to another, both included, in either direction; the last alone where the first is gone. */
export function between(rows: readonly Known[], from: string, to: string): readonly Known[] {
  const at = (id: string) => rows.findIndex((row) => row.id === id);
  const [first, last] = [at(from), at(to)];
  if (last === -1) return [];
  if (first === -1) return [rows[last]!];
  return rows.slice(Math.min(first, last), Math.max(first, last) + 1);
}

const NARROW = '(max-width: 1180px)';
const PHONE = '(max-width: 640px)';
const HEADS_PX = 34;
const OVERSCAN = 12;

/** Heads of groups and notes have one line in any window, and room for a finger. */
const LINE_PX = 40;

/** The height of an issue in pixels: below a title that is narrow, the reason has a line of its own. */
function rowPx(): number {
  const compact = currentDensity() === 'compact';
  if (matchMedia(PHONE).matches) return compact ? 56 : 72;
  if (compact) return 32;
  return matchMedia(NARROW).matches ? 52 : 44;
}

/** Calls back when the window has become wider or narrower than one of the two widths. */
function onWidth(changed: () => void): () => void {
  const queries = [NARROW, PHONE].map((query) => matchMedia(query));
  for (const query of queries) query.addEventListener('change', changed);
  return () => {
    for (const query of queries) query.removeEventListener('change', changed);
  };
}

interface RowsProps {
  items: readonly Item[];
  /** The issues among the items, in their order. */
  issues: readonly ListedIssue[];
  selection: Selection | null;
  sort: Sort;
  onSort: (sort: Sort) => void;
  onEnd: () => void;
}

/** The rows in view. `j` and `k` move among them, `x` chooses, and the keys of issues are about the one in focus. */
export function Rows({ items, issues, selection, sort, onSort, onEnd }: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const [command, setCommand] = useState<Command | null>(null);
  const columns = useColumnWidths();
  const current = issues.find(({ key }) => key === focused) ?? null;
  const revealed = useRevealed();
  const rows = useRowWindow(items, scroller, { focused, revealed });
  const visible = rows.getVirtualItems();
  const atEnd = (visible.at(-1)?.index ?? -1) >= items.length - 1 - OVERSCAN;
  useEffect(() => {
    if (atEnd) onEnd();
  }, [atEnd, onEnd]);
  useSteps(scroller);
  useChoosing(selection, issues, current);
  const onKeyDown = useExtending(scroller, selection, issues, current);
  const isChosen = (item: Item) =>
    item.kind === 'issue' && selection !== null ? selection.chosen.has(item.issue.id) : null;
  const isChoosing = selection !== null && selection.chosen.size > 0;
  const latest = useRef({ selection, issues });
  latest.current = { selection, issues };
  // Always the same function, so that a choice draws one row again.
  const onChoose = useCallback((issue: ListedIssue, range: boolean) => {
    const { selection: choice, issues: all } = latest.current;
    return range ? choice?.extend(issue, all) : choice?.toggle(issue);
  }, []);
  return (
    <>
      <div
        className={styles.list}
        ref={scroller}
        role="table"
        aria-label="Issues"
        aria-rowcount={items.length + 1}
        data-fill=""
        data-scroll-restoration-id="issues"
        style={columns.style}
        onKeyDown={onKeyDown}
        onFocus={({ target }) =>
          setFocused(target.closest<HTMLElement>('[data-issue]')?.dataset['issue'] ?? null)
        }
      >
        <Heads
          sort={sort}
          onSort={onSort}
          columns={columns}
          choose={selection && <ChooseAll issues={issues} selection={selection} />}
        />
        <div role="rowgroup" className={styles.body} style={{ height: rows.getTotalSize() }}>
          {visible.map(({ index, start, size }) => (
            <ItemRow
              key={items[index]!.id}
              item={items[index]!}
              index={index}
              top={start - HEADS_PX}
              height={size}
              time={timeOf(sort)}
              isChosen={isChosen(items[index]!)}
              isNew={revealed !== null && keyOf(items[index]!) === revealed}
              onChoose={onChoose}
            />
          ))}
        </div>
      </div>
      <IssueCommands issue={isChoosing ? null : current} command={command} onCommand={setCommand} />
    </>
  );
}

const keyOf = (item: Item): string | null => (item.kind === 'issue' ? item.issue.key : null);

/**
 * @param focused the key of the issue that has the focus: it stays in the document, also out of view
 * @param revealed the key of the issue that the list scrolls to
 */
function useRowWindow(
  items: readonly Item[],
  scroller: RefObject<HTMLElement | null>,
  { focused, revealed }: { focused: string | null; revealed: string | null },
) {
  const size = useSyncExternalStore(onWidth, rowPx);
  const placeOf = (key: string | null) =>
    key === null ? -1 : items.findIndex((item) => keyOf(item) === key);
  const kept = placeOf(focused);
  const place = placeOf(revealed);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]!.kind === 'issue' ? size : Math.min(size, LINE_PX)),
    getItemKey: (index) => items[index]!.id,
    overscan: OVERSCAN,
    scrollMargin: HEADS_PX,
    rangeExtractor: (range: Range) => {
      const shown = defaultRangeExtractor(range);
      if (kept === -1 || shown.includes(kept)) return shown;
      return [...shown, kept].toSorted((a, b) => a - b);
    },
  });
  // A window that is turned or resized has rows of another height.
  useEffect(() => rows.measure(), [rows, size]);
  useEffect(() => {
    if (place !== -1) rows.scrollToIndex(place, { align: 'center' });
  }, [rows, place]);
  return rows;
}

function ChooseAll({ issues, selection }: { issues: readonly ListedIssue[]; selection: Selection }) {
  const all = issues.length > 0 && issues.every(({ id }) => selection.chosen.has(id));
  const some = selection.chosen.size > 0;
  return (
    <input
      type="checkbox"
      aria-label="Choose all rows"
      checked={all}
      ref={(box) => {
        if (box) box.indeterminate = some && !all;
      }}
      onChange={() => (all ? selection.clear() : selection.replace(issues))}
    />
  );
}

/** The keys that choose: one issue, a range, all rows. @param current the issue in focus */
export function useChoosing(
  selection: Selection | null,
  issues: readonly ListedIssue[],
  current: ListedIssue | null,
): void {
  const common = { icon: 'check', group: 'This screen' } as const;
  useActions([
    {
      ...common,
      id: 'choose',
      name: 'Choose the issue for a change of several',
      shortcut: 'x',
      available: selection !== null && current !== null,
      perform: () => current && selection?.toggle(current),
    },
    {
      ...common,
      id: 'choose-range',
      name: 'Choose all from the last chosen issue to this one',
      shortcut: 'X',
      available: selection !== null && current !== null,
      perform: () => current && selection?.extend(current, issues),
    },
    {
      ...common,
      id: 'choose-all',
      name: 'Choose all rows',
      shortcut: 'Mod+a',
      available: selection !== null && issues.length > 0,
      perform: () => selection?.replace(issues),
    },
  ]);
}

/** Shift with an arrow key chooses the rows that the focus goes over. */
export function useExtending(
  scroller: RefObject<HTMLElement | null>,
  selection: Selection | null,
  issues: readonly ListedIssue[],
  current: ListedIssue | null,
) {
  return (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!event.shiftKey || by === undefined || selection === null || current === null) return;
    const next = issues[issues.indexOf(current) + by];
    event.preventDefault();
    // The range begins at the row that has the focus.
    if (selection.chosen.size === 0) selection.toggle(current);
    else if (next) selection.extend(next, issues);
    if (!next) return;
    const row = scroller.current?.querySelector<HTMLElement>(`[data-issue="${next.key}"] a`);
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  };
}
