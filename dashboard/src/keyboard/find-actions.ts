import type { Action } from './action';

/** How well a query finds an action: 3 where its name begins with it, 2 where a word does, 1 elsewhere, 0 not at all. */
export type Fit = 0 | 1 | 2 | 3;

/** The actions whose name or words hold every word of a query, with how well it fits, the best first. */
export function findActions(actions: readonly Action[], query: string): { action: Action; fit: Fit }[] {
  return actions
    .map((action) => ({ action, fit: fitOf(action.words ?? '', action.name, query) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit);
}

/** How well a query finds something by its name. @param more words that find it less well */
export function fitOf(more: string, name: string, query: string): Fit {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const title = name.toLowerCase();
  const all = `${title} ${more.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return 0;
  if (title.startsWith(words.join(' '))) return 3;
  const starts = title.split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => starts.some((start) => start.startsWith(word))) ? 2 : 1;
}
