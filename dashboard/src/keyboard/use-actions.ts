import { createContext, use, useEffect, useRef, useSyncExternalStore } from 'react';
import type { Action } from './action';
import { ActionRegistry, type Scope } from './registry';

/** One registry per page; a test may provide its own. */
export const Registry = createContext(new ActionRegistry());

/**
 * Offers actions while the component is mounted: in the palette, in the help dialog and on the keyboard. They
 * may be made again on every render; the latest ones count. A screen's action wins over one of the page that has the
 * same id or shortcut.
 */
export function useActions(actions: readonly Action[], scope: Scope = 'screen'): void {
  const registry = use(Registry);
  const owner = useRef(Symbol('actions')).current;
  useEffect(() => registry.set(owner, scope, actions));
  useEffect(() => () => registry.remove(owner), [registry, owner]);
}

/** Every available action. Only for what lists them: it renders again whenever any of them changes. */
export function useAllActions(): readonly Action[] {
  const registry = use(Registry);
  return useSyncExternalStore(registry.subscribe, registry.list);
}

/** Performs an action of the page by its id, for a button that is drawn elsewhere. */
export function useAction(id: string): () => void {
  const registry = use(Registry);
  return () =>
    registry
      .list()
      .find((action) => action.id === id)
      ?.perform();
}

const FILTER_KEY = 'f';

/** Gives the filter field of a screen its key and its command. Spread the result on the field. */
export function useFilterField(name: string) {
  const field = useRef<HTMLInputElement>(null);
  useActions([
    {
      id: 'filter',
      name,
      icon: 'filter',
      group: 'This screen',
      shortcut: FILTER_KEY,
      perform: () => field.current?.focus(),
    },
  ]);
  return { ref: field, 'aria-keyshortcuts': FILTER_KEY };
}
