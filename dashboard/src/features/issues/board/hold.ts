import { useRef } from 'react';
import type { ListedIssue } from '../../../api/types';

/** A card of a column; one that has left it keeps its place while the pointer is over the column. */
export interface HeldIssue {
  issue: ListedIssue;
  gone: boolean;
}

/** The cards that stood here before, in their order and as they are now, then those that came since. */
export function heldOrder(before: readonly ListedIssue[], now: readonly ListedIssue[]): HeldIssue[] {
  const current = new Map(now.map((issue) => [issue.id, issue]));
  const known = new Set(before.map(({ id }) => id));
  return [
    ...before.map((issue) => ({ issue: current.get(issue.id) ?? issue, gone: !current.has(issue.id) })),
    ...now.filter(({ id }) => !known.has(id)).map((issue) => ({ issue, gone: false })),
  ];
}

/**
 * Keeps the cards of a column where they are while the pointer is over it, so that nothing moves away under a press.
 * Cards that the person moves leave at once.
 */
export function useHold(issues: readonly ListedIssue[], moving: ReadonlySet<string>) {
  const held = useRef<readonly ListedIssue[] | null>(null);
  if (held.current !== null) {
    const shown = heldOrder(held.current, issues).map(({ issue }) => issue);
    held.current = shown.filter(({ id }) => !moving.has(id));
  }
  const shown = useRef(issues);
  shown.current = issues;
  return {
    cards: heldOrder(held.current ?? issues, issues),
    hold: () => {
      held.current = shown.current;
    },
    release: () => {
      held.current = null;
    },
  };
}
