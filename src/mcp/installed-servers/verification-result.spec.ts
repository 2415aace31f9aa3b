import { describe, expect, it } from '@jest/globals';
import { failed, lateReason, passed, StepClock } from './verification-result.js';
import { statusAfter } from './verification.service.js';

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

describe('the sentence about a server that ended before its handshake', () => {
  const reason =
    'The server exited with code 1 before it had answered the handshake. Its last output says more.';
  const of = (stderrTail: string, said = reason) => {
    const steps = new StepClock([]);
    return failed({
      reason: said,
      phase: 'handshake',
      latencyMs: 5,
      stderrTail,
      credentialsRefused: false,
      steps,
      warnings: [],
    }).details;
  };

  it('has its last five lines', () => {
    expect(of('one\ntwo\n\nthree\nfour\nfive\nError: no such file\n')).toBe(
      'The server exited with code 1 before it had answered the handshake. Its last output: two three four five Error: no such file',
    );
  });

  it('has the error of Node and what it says of it, however long the stack below it is', () => {
    const stack = Array.from({ length: 9 }, (_, line) => `    at load (node:internal/loader:${line})`);
    const lines = [
      'Error: Cannot find module x',
      'Require stack:',
      '- /a/b.js',
      ...stack,
      '  code: 1,',
      '  c: [',
      '    1',
      '  ]',
      '}',
      'Node.js v20.20.2',
    ];
    expect(of(['starting', 'node:internal/loader:1', '  throw err;', ...lines].join('\n'))).toMatch(
      /Its last output: Error: Cannot find module x Require stack: - \/a\/b\.js code: 1, c: \[$/,
    );
  });

  it('has what a server wrote that was not ready in time', () => {
    expect(of('waiting for the broker\n', lateReason('waiting for the broker\n'))).toBe(
      'The server was not ready within 30 seconds. Its last output: waiting for the broker',
    );
    expect(of('', lateReason(''))).toBe('The server was not ready within 30 seconds.');
  });

  it('says that it wrote nothing', () => {
    expect(of('')).toMatch(/the handshake\. It wrote nothing to stderr\.$/);
  });
});
