import type { IconName } from '../parts/icon';

/** The headings, in the order in which they are listed: what belongs to the screen comes first. */
export const actionGroups = ['Issue', 'This screen', 'Create', 'Agents', 'Go to', 'Page'] as const;

export type ActionGroup = (typeof actionGroups)[number];

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
