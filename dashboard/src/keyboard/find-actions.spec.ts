import { describe, expect, it } from 'vitest';
import type { Action } from './action';
import { findActions } from './find-actions';

const action = (name: string, words?: string): Action => ({
  id: name,
  name,
  icon: 'more',
  group: 'Go to',
  perform: () => undefined,
  ...(words ? { words } : {}),
});
const actions = [
  action('Go to Agents'),
  action('New agent'),
  action('Agents: halt all'),
  action('Sign out', 'log out'),
];
const names = (query: string) => findActions(actions, query).map(({ name }) => name);

describe('findActions', () => {
  it('lists everything without a query', () => {
    expect(names(' ')).toHaveLength(4);
  });

  it('puts names that begin with the query first', () => {
    expect(names('agent')[0]).toBe('Agents: halt all');
  });

  it('requires every word, in any order', () => {
    expect(names('halt agents')).toEqual(['Agents: halt all']);
    expect(names('agents nothing')).toEqual([]);
  });

  it('finds an action by words that its name does not hold', () => {
    expect(names('log out')).toEqual(['Sign out']);
  });
});
