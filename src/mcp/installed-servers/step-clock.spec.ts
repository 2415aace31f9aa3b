import { expect, it } from '@jest/globals';
import { StepClock } from './verification-result.js';

/** A clock that is 10 ms later at each look. */
function clock(needless: ConstructorParameters<typeof StepClock>[0] = []): StepClock {
  let now = 0;
  return new StepClock(needless, () => (now += 10));
}
const said = (steps: ReturnType<StepClock['results']>) =>
  steps.map(({ phase, status, ms, detail }) => [phase, status, ms, detail].join(' '));

it('measures each step up to the next one, and skips those that were not reached', () => {
  const steps = clock();
  for (const phase of ['runtime', 'package', 'spawn', 'handshake'] as const) steps.enter(phase);
  steps.found('2025-11-25');
  expect(said(steps.results({ status: 'failed', detail: 'It exited.' }))).toEqual([
    'runtime ok 10 ',
    'package ok 10 ',
    'spawn ok 10 ',
    'handshake failed 10 It exited.',
    'list skipped  ',
    'credentials skipped  ',
  ]);
});

it('adds up the times of a step that was passed twice, which ends as it ended last', () => {
  const steps = clock();
  for (const phase of ['spawn', 'handshake', 'spawn', 'handshake'] as const) steps.enter(phase);
  expect(said(steps.results({ status: 'failed', detail: 'It exited.' })).slice(2, 4)).toEqual([
    'spawn ok 20 ',
    'handshake failed 20 It exited.',
  ]);
});

it('skips a step that the server does not need, unless it fails', () => {
  const steps = clock(['package', 'spawn']);
  for (const phase of ['runtime', 'package', 'spawn'] as const) steps.enter(phase);
  expect(
    steps
      .results({ status: 'failed', detail: 'x' })
      .map(({ status }) => status)
      .slice(0, 3),
  ).toEqual(['ok', 'skipped', 'failed']);
});

it('keeps what a step found, and does not begin a step twice', () => {
  const steps = clock();
  steps.enter('list');
  steps.found('5 tools');
  steps.enter('list');
  steps.enter('credentials');
  const results = steps.results({ status: 'skipped', detail: 'No probe.' });
  expect(said(results).slice(-2)).toEqual(['list ok 10 5 tools', 'credentials skipped  No probe.']);
});
