import { describe, expect, it } from 'vitest';
import type { CredentialSet } from '../../../api/types';
import { adviceOn, openAtFirst, signOf, valueState } from '../changes';

const set = (fields: Partial<CredentialSet>): CredentialSet => ({
  name: 'team-a',
  state: 'ready',
  configuredEnv: [],
  missingEnv: [],
  signIn: null,
  ...fields,
});
const inState = (state: string, missingEnv: string[] = []) =>
  set({ state: state as CredentialSet['state'], missingEnv });

describe('the state of a credential set', () => {
  it('says what to do, unless nothing has to be done', () => {
    expect(adviceOn(inState('ready'), false)).toBeNull();
    expect(adviceOn(inState('missing_variables', ['KEY']), false)).toMatch(/^KEY has no value.* enter it\.$/);
    expect(adviceOn(inState('missing_variables', ['KEY', 'TEAM']), false)).toMatch(
      /^KEY and TEAM have no value.* enter them\.$/,
    );
    for (const state of ['error', 'revoked', 'sign_in_needed'])
      expect(adviceOn(inState(state), false)).toMatch(/Enter|enter|sign in/);
  });

  it('says that no one has signed in yet, where the server asks for that', () => {
    expect(adviceOn(inState('ready'), true)).toMatch(/^No one has signed in/);
    const signIn = {
      authorizationServer: 'https://login',
      signedInBy: 'Ada',
      signedInAt: 'now',
      scope: null,
    };
    expect(adviceOn(set({ signIn }), true)).toBeNull();
  });

  it('has a word for each state, also for one that this page does not know', () => {
    expect(signOf(inState('sign_in_needed')).word).toBe('Sign-in needed');
    expect(signOf(inState('something_new')).word).toBe('something_new');
  });
});

describe('a variable of a set', () => {
  it.each([
    ['A', null, 'set'],
    ['B', null, 'missing'],
    ['C', null, 'not set'],
    ['D', 'eu', 'default'],
  ] as const)('%s with the default %j is %s', (name, byDefault, state) => {
    expect(valueState(set({ configuredEnv: ['A'], missingEnv: ['B'] }), { name, default: byDefault })).toBe(
      state,
    );
  });
});

describe('the set that is open at first', () => {
  const sets = [set({ name: 'default' }), set({ name: 'team-a' })];

  it('is the one of the address, where it exists', () => {
    expect(openAtFirst(sets, 'team-a')).toBe('team-a');
    expect(openAtFirst(sets, 'gone')).toBeNull();
  });

  it('is the only one', () => {
    expect(openAtFirst(sets.slice(0, 1), undefined)).toBe('default');
    expect(openAtFirst(sets, undefined)).toBeNull();
  });
});
