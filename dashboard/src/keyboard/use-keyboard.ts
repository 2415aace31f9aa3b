import { use, useEffect } from 'react';
import { singleKeysOn } from '../theme/preferences';
import { type Action, isSingleKey, Registry } from './use-actions';

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
