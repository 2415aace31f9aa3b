import { describe, expect, it } from 'vitest';
import type { Verification } from '../../api/types';
import { adviceOn, phasesOf } from './phases';

const result = (part: Partial<Verification>): Verification => ({
  status: 'ok',
  details: '',
  phase: 'done',
  phases: [],
  latencyMs: 812,
  protocolVersion: null,
  serverInfo: null,
  credentials: 'unchecked',
  ...part,
});
const states = (part: Partial<Verification>, remote = false) =>
  phasesOf(result(part), remote).map(({ name, state }) => `${name}: ${state}`);

describe('phasesOf', () => {
  it('passes every phase of a success, and says that no credential was checked', () => {
    expect(states({})).toEqual([
      'Runtime: passed',
      'Package: passed',
      'Start: passed',
      'Handshake: passed',
      'List tools: passed',
      'Credential: unchecked',
    ]);
  });

  it('fails the phase in which it ended and leaves the later ones unreached', () => {
    expect(states({ status: 'error', phase: 'spawn' })).toEqual([
      'Runtime: passed',
      'Package: passed',
      'Start: failed',
      'Handshake: unreached',
      'List tools: unreached',
      'Credential: unreached',
    ]);
  });

  it('fails the credential that was refused', () => {
    expect(states({ status: 'error', phase: 'done', credentials: 'refused' }).at(-1)).toBe(
      'Credential: failed',
    );
  });

  it('has no phases of a process for a remote server', () => {
    expect(states({ credentials: 'accepted' }, true)).toEqual([
      'Handshake: passed',
      'List tools: passed',
      'Credential: passed',
    ]);
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
