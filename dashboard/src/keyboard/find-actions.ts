import type { Action } from './action';

/** The actions whose name or words hold every word of a query, those whose name begins with it first. */
export function findActions(actions: readonly Action[], query: string): readonly Action[] {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return actions;
  return actions
    .map((action) => ({ action, score: scoreOf(action, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ action }) => action);
}

/** 0 where a word is missing; more the earlier the words stand in the name. */
function scoreOf({ name, words: more = '', group }: Action, words: readonly string[]): number {
  const title = name.toLowerCase();
  const all = `${title} ${group.toLowerCase()} ${more.toLowerCase()}`;
  if (!words.every((word) => all.includes(word))) return 0;
  if (title.startsWith(words.join(' '))) return 3;
  const starts = title.split(/[^\p{L}\p{N}]+/u);
  return words.some((word) => starts.some((start) => start.startsWith(word))) ? 2 : 1;
}
