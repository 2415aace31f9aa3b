import { describe, expect, it } from 'vitest';
import { type Action, isTyping, onKeyboard, ShortcutMatcher, strokeName } from './use-actions';

const action = (id: string, shortcut: string): Action => ({
  id,
  name: id,
  icon: 'more',
  group: 'Page',
  shortcut,
  perform: () => undefined,
});
const actions = [
  action('create', 'c'),
  action('board', 'g b'),
  action('palette', 'Mod+k'),
  action('blocker', 'b'),
];
const press = (key: string, modifiers = {}) =>
  strokeName({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers });

describe('strokeName', () => {
  it('names Ctrl and the command key alike', () => {
    expect(press('k', { ctrlKey: true })).toBe('Mod+k');
    expect(press('K', { metaKey: true })).toBe('Mod+k');
  });

  it('names a character that needs Shift by itself', () => {
    expect(press('?')).toBe('?');
  });

  it('ignores modifiers alone and presses with Alt', () => {
    expect(press('Shift')).toBeNull();
    expect(press('c', { altKey: true })).toBeNull();
  });
});

describe('ShortcutMatcher', () => {
  it('performs a single key at once', () => {
    expect(new ShortcutMatcher().press('c', actions)).toMatchObject({ id: 'create' });
  });

  it('waits for the second key of a sequence', () => {
    const matcher = new ShortcutMatcher();
    expect(matcher.press('g', actions, 0)).toBe('pending');
    expect(matcher.press('b', actions, 400)).toMatchObject({ id: 'board' });
  });

  it('forgets the first key after a second', () => {
    const matcher = new ShortcutMatcher();
    matcher.press('g', actions, 0);
    expect(matcher.press('b', actions, 1_500)).toMatchObject({ id: 'blocker' });
  });

  it('performs nothing for a sequence that does not exist', () => {
    const matcher = new ShortcutMatcher();
    matcher.press('g', actions, 0);
    expect(matcher.press('c', actions, 100)).toBeNull();
    expect(matcher.press('c', actions, 200)).toMatchObject({ id: 'create' });
  });
});

describe('onKeyboard', () => {
  it('leaves only chords when single keys are off', () => {
    expect(onKeyboard(actions, false).map(({ id }) => id)).toEqual(['palette']);
    expect(onKeyboard(actions, true)).toHaveLength(4);
  });
});

describe('isTyping', () => {
  it('is false on a box to tick, which uses no letters', () => {
    document.body.innerHTML = '<input type="checkbox"><input type="radio"><input type="search">';
    expect([...document.querySelectorAll('input')].map(isTyping)).toEqual([false, false, true]);
  });

  it('is true in fields and false on buttons', () => {
    document.body.innerHTML = '<input><select></select><div contenteditable><b>x</b></div><button></button>';
    const at = (selector: string) => isTyping(document.querySelector(selector));
    expect([at('input'), at('select'), at('b'), at('button')]).toEqual([true, true, true, false]);
  });
});
