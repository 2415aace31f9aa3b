import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ListedIssue } from '../../../api/types';
import { useRevealed, useSteps } from '../../../keyboard/use-steps';
import { currentDensity } from '../../../theme/preferences';
import { type Command, IssueCommands } from '../commands/issue-commands';
import type { Sort } from '../queries';
import { gridOf, Heads, timeOf, useColumnWidths } from './columns';
import type { Column } from './list-view';
import styles from './list-screen.module.css';
import { type Item, ItemRow } from './row';
import { ChooseAll, type Selection, useChoosing, useExtending } from './selection';

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
  hidden: readonly Column[];
  items: readonly Item[];
  /** The issues among the items, in their order. */
  issues: readonly ListedIssue[];
  selection: Selection | null;
  sort: Sort;
  onSort: (sort: Sort) => void;
  onEnd: () => void;
  /** Opens or closes the parts of an issue. */
  onToggle: (id: string) => void;
}

/** The rows in view. `j` and `k` move among them, `x` chooses, and the keys of issues are about the one in focus. */
export function Rows({ hidden, items, issues, selection, sort, onSort, onEnd, onToggle }: RowsProps) {
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
  const extend = useExtending(scroller, selection, issues, current);
  const walk = useBranches(scroller, items, focused, setFocused, onToggle);
  const onKeyDown = (event: KeyboardEvent) => {
    extend(event);
    walk(event);
  };
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
        data-hides={hidden.join(' ')}
        style={{ ...columns.style, ...gridOf(hidden) }}
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
              onToggle={onToggle}
            />
          ))}
        </div>
      </div>
      <IssueCommands issue={isChoosing ? null : current} command={command} onCommand={setCommand} />
    </>
  );
}

/** Right opens the parts of the issue in focus, and then goes to the first; left closes them, or goes to the parent. */
function useBranches(
  scroller: RefObject<HTMLElement | null>,
  items: readonly Item[],
  focused: string | null,
  onFocus: (key: string) => void,
  onToggle: (id: string) => void,
) {
  return (event: KeyboardEvent): void => {
    const { key, target, defaultPrevented } = event;
    const isModified = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
    if (defaultPrevented || isModified || (key !== 'ArrowRight' && key !== 'ArrowLeft')) return;
    const at = items.findIndex((item) => keyOf(item) === focused);
    const item = items[at];
    if (item?.kind !== 'issue' || !item.branch || !(target as HTMLElement).closest('[data-issue]')) return;
    const { isOpen, parent } = item.branch;
    event.preventDefault();
    if (isOpen === (key === 'ArrowLeft')) return onToggle(item.issue.id);
    const next = items[at + 1];
    const isPartOfThis = next?.kind === 'issue' && next.branch?.parent === item.issue.key;
    const to = key === 'ArrowLeft' ? parent : isPartOfThis ? keyOf(next) : null;
    if (to === null) return;
    // A parent that is out of view is drawn once it has the focus.
    onFocus(to);
    setTimeout(() => {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-issue="${to}"] a`);
      row?.focus();
      row?.scrollIntoView({ block: 'nearest' });
    });
  };
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
