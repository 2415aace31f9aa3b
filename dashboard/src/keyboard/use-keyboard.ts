import { use, useEffect } from 'react';
import { singleKeysOn } from '../theme/preferences';
import { isSingleKey } from './action';
import { isTyping, onKeyboard, ShortcutMatcher, strokeName } from './shortcuts';
import { Registry } from './use-actions';

/** Performs actions by their shortcuts: never while someone types, and behind an open dialog only chords. */
export function useKeyboard(): void {
  const registry = use(Registry);
  useEffect(() => {
    const matcher = new ShortcutMatcher();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      const stroke = strokeName(event);
      if (stroke === null) return;
      if (isSingleKey(stroke) && (isTyping(event.target) || dialogIsOpen())) return;
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
