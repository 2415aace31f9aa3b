import { type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import { useActions } from './use-actions';

/** What `j` and `k` step through on a screen. */
interface Steps {
  /** Matches the element of each row that takes the focus. */
  selector: string;
  /** What a row is: "issue". */
  noun: string;
}

const ISSUES: Steps = { selector: '[data-issue] a', noun: 'issue' };

/**
 * `j` and `k` move the focus among the rows or cards of a screen, in the order in which they stand. A row of an issue that
 * is drawn at another place keeps the focus, and the next one gets it from one that is gone.
 */
export function useSteps(container: RefObject<HTMLElement | null>, { selector, noun }: Steps = ISSUES): void {
  const step = (by: 1 | -1) => () => {
    const rows = [...(container.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next = at === -1 ? rows[by === 1 ? 0 : rows.length - 1] : rows[at + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  useKeptFocus(container, selector);
  useActions([
    {
      id: 'next',
      name: `Next ${noun}`,
      icon: 'down',
      group: 'This screen',
      shortcut: 'j',
      perform: step(1),
    },
    {
      id: 'previous',
      name: `Previous ${noun}`,
      icon: 'back',
      group: 'This screen',
      shortcut: 'k',
      perform: step(-1),
    },
  ]);
}

/** What lies over the page; the focus goes back to the row from there. */
const OVER = '[role="dialog"], [role="alertdialog"], [role="menu"]';

function useKeptFocus(container: RefObject<HTMLElement | null>, selector: string): void {
  const last = useRef<{ row: HTMLElement; key: string | undefined; index: number } | null>(null);
  const give = useRef(() => {
    const { current } = last;
    if (current === null || document.activeElement !== document.body || current.row.isConnected) return;
    const rows = [...(container.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
    const same = rows.find((row) => keyOf(row) === current.key);
    (same ?? rows[Math.min(current.index, rows.length - 1)])?.focus();
  }).current;
  useEffect(() => {
    const onFocusIn = ({ target }: FocusEvent): void => {
      const row = target instanceof HTMLElement ? target : null;
      const isOver = row?.closest(OVER) !== null;
      if (row === null || (!isOver && !container.current?.contains(row))) last.current = null;
      else if (!isOver && row.matches(selector)) {
        const rows = [...container.current!.querySelectorAll<HTMLElement>(selector)];
        last.current = { row, key: keyOf(row), index: rows.indexOf(row) };
      }
    };
    // A dialog gives the focus back to a row that may be gone by then.
    const onFocusOut = (): void => void setTimeout(give);
    document.addEventListener('focusin', onFocusIn);
    document.addEventListener('focusout', onFocusOut);
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('focusout', onFocusOut);
    };
  }, [container, selector, give]);
  // Drawn again, the row may be another element, or none.
  useEffect(give);
}

const keyOf = (row: HTMLElement): string | undefined =>
  row.closest<HTMLElement>('[data-issue]')?.dataset['issue'];

/** The key of an issue that was just created, and is to be shown where it stands. */
let revealed: string | null = null;
const watchers = new Set<() => void>();
/** Long enough for the list to have it, and for a person to see it there. */
const REVEALED_MS = 4_000;

/** Has the list or board on screen scroll to an issue and mark it for a moment. The focus stays where it is. */
export function reveal(key: string): void {
  const set = (next: string | null): void => {
    revealed = next;
    for (const watcher of watchers) watcher();
  };
  set(key);
  setTimeout(() => revealed === key && set(null), REVEALED_MS);
}

/** The issue that is to be shown: a list that has it scrolls there, because it draws only what is near the view. */
export function useRevealed(): string | null {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => revealed,
  );
}
