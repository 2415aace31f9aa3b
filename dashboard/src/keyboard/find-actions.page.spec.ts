import { describe, expect, it } from 'vitest';
import { type Action, findActions } from './use-actions';

const command = (name: string, words?: string): Action => ({
  id: name,
  name,
  icon: 'more',
  group: 'Go to',
  perform: () => undefined,
  ...(words ? { words } : {}),
});
const actions = [
  command('Go to Agents'),
  command('New agent'),
  command('Agents: halt all'),
  command('Sign out', 'log out'),
];
const names = (query: string) => findActions(actions, query).map(({ action }) => action.name);

describe('findActions', () => {
  it('puts names that begin with the query first', () => {
    expect(names('agent')[0]).toBe('Agents: halt all');
  });

  it('requires every word, in any order', () => {
    expect(names('halt agents')).toEqual(['Agents: halt all']);
    expect(names('agents nothing')).toEqual([]);
  });

  it('says how well each fits', () => {
    expect(findActions(actions, 'agent').map(({ fit }) => fit)).toEqual([3, 2, 2]);
    expect(findActions(actions, 'gent')).toMatchObject([{ fit: 1 }, { fit: 1 }, { fit: 1 }]);
  });

  it('finds an action by words that its name does not hold', () => {
    expect(names('log out')).toEqual(['Sign out']);
  });
});
