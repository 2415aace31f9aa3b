import type { ToolFacts } from './tool-state.js';

/** How a listing differs from what is kept, by the names of the tools. */
export interface ToolChanges {
  added: string[];
  /** Present before and after, but not the same. */
  changed: string[];
  removed: string[];
  /** Not there the last time, and there again. */
  returned: string[];
}

/** Compares a new listing, by hash, with the tools that are kept. */
export function compareTools(
  known: readonly (ToolFacts & { name: string })[],
  listed: ReadonlyMap<string, string>,
): ToolChanges {
  const names = new Set(known.map(({ name }) => name));
  const namesOf = (which: (tool: ToolFacts & { name: string }) => boolean): string[] =>
    known.filter(which).map(({ name }) => name);
  return {
    added: [...listed.keys()].filter((name) => !names.has(name)),
    changed: namesOf(({ name, hash, present }) => present && listed.has(name) && listed.get(name) !== hash),
    removed: namesOf(({ name, present }) => present && !listed.has(name)),
    returned: namesOf(({ name, present }) => !present && listed.has(name)),
  };
}
