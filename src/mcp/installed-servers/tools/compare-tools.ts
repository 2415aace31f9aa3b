import type { ToolFacts } from './tool-state.js';

/** How a listing differs from the stored tools, by name. */
export interface ToolChanges {
  added: string[];
  /** Present before and after, with different definitions. */
  changed: string[];
  removed: string[];
  /** Removed earlier and listed again. */
  returned: string[];
}

/** Compares the hashes of a new listing with the stored tools. */
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
