import { describe, expect, it, vi } from 'vitest';
import { type Action, ActionRegistry } from './use-actions';

const action = (id: string, rest: Partial<Action> = {}): Action => ({
  id,
  name: id,
  icon: 'more',
  group: 'Page',
  perform: () => undefined,
  ...rest,
});
const ids = (registry: ActionRegistry) => registry.list().map(({ id }) => id);

describe('ActionRegistry', () => {
  it('lets an action of a screen win over one of the page with the same shortcut', () => {
    const registry = new ActionRegistry();
    registry.set(Symbol('page'), 'page', [action('global', { shortcut: 'b' })]);
    registry.set(Symbol('screen'), 'screen', [action('blocker', { shortcut: 'b' })]);
    expect(ids(registry)).toEqual(['blocker']);
  });

  it('leaves out actions that are not available', () => {
    const registry = new ActionRegistry();
    registry.set(Symbol('page'), 'page', [action('on'), action('off', { available: false })]);
    expect(ids(registry)).toEqual(['on']);
  });

  it('lists groups in their fixed order, not in that of registration', () => {
    const registry = new ActionRegistry();
    registry.set(Symbol('page'), 'page', [
      action('help'),
      action('go', { group: 'Go to' }),
      action('new', { group: 'Create' }),
    ]);
    expect(ids(registry)).toEqual(['new', 'go', 'help']);
  });

  it('forgets the actions of an owner that is removed, and notifies', () => {
    const registry = new ActionRegistry();
    const owner = Symbol('screen');
    const listener = vi.fn();
    registry.set(owner, 'screen', [action('one')]);
    registry.subscribe(listener);
    registry.remove(owner);
    expect(ids(registry)).toEqual([]);
    expect(listener).toHaveBeenCalledOnce();
  });
});
