import { createContext, use, useEffect, useRef, useSyncExternalStore } from 'react';
import type { IconName } from '../parts/icon';
import { singleKeysOn } from '../theme/preferences';

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

/** How well a query finds an action: 3 where its name begins with it, 2 where a word does, 1 elsewhere, 0 not at all. */
type Fit = 0 | 1 | 2 | 3;

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

/** Time within which the second key of a sequence like `g b` must follow. */
const SEQUENCE_MS = 1_000;

type Stroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** Names a key press as shortcuts do: `c`, `?`, `Mod+k`; null for presses that no shortcut uses. */
export function strokeName({ key, ctrlKey, metaKey, altKey }: Stroke): string | null {
  if (altKey || key === 'Shift' || key === 'Control' || key === 'Meta') return null;
  if (ctrlKey || metaKey) return `Mod+${key.toLowerCase()}`;
  return key;
}

/** Finds the action of a key press, across the presses of a sequence. */
export class ShortcutMatcher {
  private pending: { key: string; at: number } | null = null;

  /** @returns the action to perform, `'pending'` when the press may begin a sequence, or null */
  press(stroke: string, actions: readonly Action[], now = Date.now()): Action | 'pending' | null {
    const before = this.pending !== null && now - this.pending.at <= SEQUENCE_MS ? this.pending.key : null;
    this.pending = null;
    const sequence = before === null ? undefined : withShortcut(actions, `${before} ${stroke}`);
    if (sequence) return sequence;
    if (actions.some(({ shortcut }) => shortcut?.startsWith(`${stroke} `))) {
      this.pending = { key: stroke, at: now };
      return 'pending';
    }
    return before === null ? (withShortcut(actions, stroke) ?? null) : null;
  }
}

function withShortcut(actions: readonly Action[], shortcut: string): Action | undefined {
  return actions.find((action) => action.shortcut === shortcut);
}

/** The actions that the keyboard may perform now. */
export function onKeyboard(actions: readonly Action[], singleKeys: boolean): readonly Action[] {
  return actions.filter(({ shortcut }) => shortcut !== undefined && (singleKeys || !isSingleKey(shortcut)));
}

/** Whether a key press goes into a control that uses letters itself; a box to tick uses none. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest(
      'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]:not([contenteditable="false"]), [role="menu"], [role="listbox"]',
    ) !== null
  );
}

/** Performs actions by their shortcuts: never while someone types, and behind an open dialog only chords. */
export function useKeyboard(): void {
  const registry = use(Registry);
  useEffect(() => {
    const matcher = new ShortcutMatcher();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      const stroke = strokeName(event);
      if (stroke === null) return;
      // A field chooses its own text by this chord.
      const isOfField = isSingleKey(stroke) || stroke === 'Mod+a';
      if (isOfField && (isTyping(event.target) || dialogIsOpen())) return;
      const found = matcher.press(stroke, onKeyboard(registry.list(), singleKeysOn()));
      if (found === null || found === 'pending') return;
      event.preventDefault();
      found.perform();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [registry]);
}

function dialogIsOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}
