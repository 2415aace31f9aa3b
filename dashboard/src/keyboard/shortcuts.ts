import { isSingleKey, type Action } from './action';

/** Time within which the second key of a sequence like `g b` must follow. */
const SEQUENCE_MS = 1_000;

export type Stroke = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

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

/** Whether a key press goes into a control that uses letters itself. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest(
      'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="menu"], [role="listbox"]',
    ) !== null
  );
}
