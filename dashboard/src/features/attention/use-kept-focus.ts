import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react';

/** The control of each row that takes the focus: what decides, or leads to the decision. */
export const FIRST_CONTROL = '[data-cause] [data-controls] > :first-child';

/**
 * Gives the focus to the row that follows when the row that had it is gone, because it was decided here or elsewhere.
 * Otherwise people with a keyboard would begin again at the top of the page.
 */
export function useKeptFocus(list: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const last = useRef<{ id: string; index: number } | null>(null);
  useLayoutEffect(() => {
    const { current } = last;
    if (current === null || ids.includes(current.id)) return;
    last.current = null;
    if (document.activeElement !== document.body) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(FIRST_CONTROL) ?? [])];
    rows[Math.min(current.index, rows.length - 1)]?.focus();
  }, [list, ids]);
  return ({ target }: FocusEvent<HTMLElement>): void => {
    const id = target.closest<HTMLElement>('[data-cause]')?.dataset['cause'];
    last.current = id === undefined ? null : { id, index: ids.indexOf(id) };
  };
}
