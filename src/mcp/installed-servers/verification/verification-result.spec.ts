import { describe, expect, it } from '@jest/globals';
import { StepClock } from './step-clock.js';
import { passed, statusAfter } from './verification-result.js';

it.each([
  ['enabled', 'ok', 'enabled'],
  ['enabled', 'error', 'error'],
  ['error', 'ok', 'enabled'],
  ['error', 'error', 'error'],
  ['disabled', 'ok', 'disabled'],
  ['disabled', 'error', 'disabled'],
] as const)('a server with status %s whose verification is %s gets status %s', (before, status, after) => {
  expect(statusAfter(before, { status })).toBe(after);
});

const whyUnchecked = 'Verify cannot check this credential because it is a test.';

describe('the sentence about a server that listed its tools', () => {
  const facts = {
    warnings: [],
    toolNames: ['echo'],
    latencyMs: 5,
    protocolVersion: '2025-11-25',
    serverInfo: null,
    hasToken: false,
  };

  it.each([
    ['unchecked', true, /proves nothing about credentials: .*\. Verify cannot check this/],
    ['unchecked', false, /in 5 ms\. It was given no credentials\.$/],
    ['accepted', true, /was accepted/],
    ['refused', true, /refused the credentials/],
  ] as const)(
    'says for credentials that are %s, given: %s, what is known of them',
    (credentials, hasSecrets, text) => {
      const steps = new StepClock([]);
      expect(passed({ ...facts, credentials, hasSecrets, whyUnchecked, steps }).details).toMatch(text);
    },
  );

  it.each([
    ['unchecked', true, 'skipped', whyUnchecked],
    ['unchecked', false, 'skipped', 'It was given no credentials.'],
    ['accepted', true, 'ok', null],
    ['refused', true, 'failed', 'The server refused the credentials.'],
  ] as const)(
    'has a last step for credentials that are %s, given: %s',
    (credentials, hasSecrets, status, detail) => {
      const steps = new StepClock([]);
      steps.enter('credentials');
      const { phases } = passed({ ...facts, credentials, hasSecrets, whyUnchecked, steps });
      expect(phases.at(-1)).toMatchObject({ phase: 'credentials', status, detail });
    },
  );

  it('says that a server was called with an access token, which a server that needs none takes too', () => {
    const steps = new StepClock([]);
    steps.enter('credentials');
    const called = { ...facts, hasToken: true, hasSecrets: false, whyUnchecked: null, steps };
    const { details, phases } = passed({ ...called, credentials: 'unchecked' });
    expect(details).toMatch(/in 5 ms\. It was called with an access token of its authorization server\.$/);
    expect(phases.at(-1)).toMatchObject({
      status: 'skipped',
      detail: expect.stringMatching(/^It was called/),
    });
  });
});
