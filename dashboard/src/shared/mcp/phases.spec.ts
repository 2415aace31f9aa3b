import { describe, expect, it } from 'vitest';
import type { Verification } from '../../api/types';
import { adviceOn, phasesOf } from './verification-view';

const result = (part: Partial<Verification>): Verification => ({
  status: 'ok',
  details: '',
  phase: 'done',
  phases: [],
  latencyMs: 812,
  protocolVersion: null,
  serverInfo: null,
  credentials: 'unchecked',
  warnings: [],
  ...part,
});
const step = (
  phase: Verification['phases'][number]['phase'],
  status: 'ok' | 'failed' | 'skipped' = 'ok',
): Verification['phases'][number] => ({ phase, status, ms: status === 'skipped' ? null : 3, detail: null });
const states = (part: Partial<Verification>) =>
  phasesOf(result(part)).map(({ name, state }) => `${name}: ${state}`);

describe('phasesOf', () => {
  it('passes every step of a success, and says that no credential was checked', () => {
    const phases = [step('runtime'), step('package'), step('spawn'), step('handshake'), step('list')];
    expect(states({ phases: [...phases, step('credentials', 'skipped')] })).toEqual([
      'Runtime: passed',
      'Package: passed',
      'Start: passed',
      'Handshake: passed',
      'List tools: passed',
      'Credential: unchecked',
    ]);
  });

  it('fails the step in which it ended and leaves the later ones unreached', () => {
    const phases = [step('runtime'), step('spawn', 'failed'), step('handshake', 'skipped')];
    expect(states({ status: 'error', phase: 'spawn', phases })).toEqual([
      'Runtime: passed',
      'Start: failed',
      'Handshake: unreached',
    ]);
  });

  it('leaves out the steps that a remote server does not need', () => {
    const phases = [step('runtime', 'skipped'), step('spawn', 'skipped'), step('handshake'), step('list')];
    expect(states({ phases })).toEqual(['Handshake: passed', 'List tools: passed']);
  });

  it('leaves out the reason of a failure, which stands below the phases', () => {
    const phases = [{ ...step('handshake', 'failed'), detail: 'It refused.' }];
    expect(phasesOf(result({ status: 'error', details: 'It refused.', phases }))[0]!.detail).toBeNull();
    expect(phasesOf(result({ details: 'Fine.', phases }))[0]!.detail).toBe('It refused.');
  });

  it('keeps how long a step took', () => {
    expect(phasesOf(result({ phases: [step('list')] }))[0]).toMatchObject({ ms: 3, detail: null });
  });
});

describe('adviceOn', () => {
  it('is null after a success and a next step after every failure', () => {
    expect(adviceOn(result({}), false)).toBeNull();
    for (const phase of ['runtime', 'package', 'spawn', 'handshake', 'list'] as const)
      expect(adviceOn(result({ status: 'error', phase }), false)).toMatch(/\.$/);
  });

  it('names the credential first', () => {
    expect(adviceOn(result({ status: 'error', phase: 'handshake', credentials: 'refused' }), true)).toContain(
      'Replace it under Credentials',
    );
  });
});
