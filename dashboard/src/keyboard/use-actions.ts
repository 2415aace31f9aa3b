import { createContext, use, useEffect, useRef, useSyncExternalStore } from 'react';
import type { IconName } from '../parts/icon';

/** The headings, in the order in which they are listed: what belongs to the screen comes first. */
export const actionGroups = ['Issue', 'This screen', 'Create', 'Agents', 'Go to', 'Page'] as const;

type ActionGroup = (typeof actionGroups)[number];

/** One thing that a person can do here: the palette, the help dialog and the keyboard read the same definition. */
export interface Action {
  /** Unique among the actions of a screen; the same id registered later replaces the earlier one. */
  id: string;
  /** What happens, as on a button: "New issue", "Go to Agents". */
  name: string;
  icon: IconName;
  /** The heading under which the palette and the help dialog list it. */
  group: ActionGroup;
  /** Keys as `KeyboardEvent.key` names them: `c`, `?`, a sequence like `g b`, or a chord like `Mod+k`. */
  shortcut?: string;
  /** Words that also find it in the palette. */
  words?: string;
  /** False where the action makes no sense now; it is then neither listed nor performed. */
  available?: boolean;
  perform: () => void;
}

/** Whether a shortcut consists of plain keys, which people can turn off (WCAG 2.1.4). */
export function isSingleKey(shortcut: string): boolean {
  return !shortcut.includes('+') || shortcut === '+';
}

/** The key caps of a shortcut, in the order in which they are pressed. */
export function keyCaps(shortcut: string, mac = /mac|iphone|ipad/i.test(navigator.userAgent)): string[] {
  return shortcut
    .split(isSingleKey(shortcut) ? ' ' : '+')
    .map((key) =>
      key === 'Mod'
        ? mac
          ? '⌘'
          : 'Ctrl'
        : key.length === 1 && !isSingleKey(shortcut)
          ? key.toUpperCase()
          : key,
    );
}

/** Whose actions they are: those of a screen win over those of the page around it. */
type Scope = 'page' | 'screen';

/** Holds the actions of everything that is mounted. */
export class ActionRegistry {
  private readonly offers = new Map<symbol, { scope: Scope; actions: readonly Action[] }>();
  private readonly listeners = new Set<() => void>();
  private all: readonly Action[] = [];

  /** Replaces the actions that `owner` offers. */
  set(owner: symbol, scope: Scope, actions: readonly Action[]): void {
    this.offers.set(owner, { scope, actions });
    this.refresh();
  }

  remove(owner: symbol): void {
    this.offers.delete(owner);
    this.refresh();
  }

  /** The available actions by group, one per id and one per shortcut. The list is stable until something changes. */
  readonly list = (): readonly Action[] => this.all;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private refresh(): void {
    const offers = [...this.offers.values()];
    const inOrder = [
      ...offers.filter(({ scope }) => scope === 'screen'),
      ...offers.filter(({ scope }) => scope === 'page'),
    ];
    const actions = inOrder.flatMap((offer) => offer.actions).filter(({ available }) => available !== false);
    const taken = new Set<string>();
    this.all = actions
      .filter(
        ({ id, shortcut }) =>
          claim(taken, `id ${id}`) && (shortcut === undefined || claim(taken, `key ${shortcut}`)),
      )
      .toSorted((a, b) => actionGroups.indexOf(a.group) - actionGroups.indexOf(b.group));
    for (const listener of this.listeners) listener();
  }
}

function claim(taken: Set<string>, name: string): boolean {
  if (taken.has(name)) return false;
  taken.add(name);
  return true;
}

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
