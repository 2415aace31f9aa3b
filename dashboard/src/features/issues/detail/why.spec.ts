import { describe, expect, it } from 'vitest';
import { endOf } from './why';

const run = { state: 'stopped' as const, reportedAt: '2026-11-22T10:00:00.000Z' };

describe('the end of a run', () => {
  it.each(['paused', 'waiting', 'reassigned', 'lease_lost', 'halted'])('is a sentence for %s', (stopped) => {
    expect(endOf({ ...run, stopped })).toMatch(/^[A-Z].* .*\.$/);
  });

  it('is what the worker reported otherwise, and says so where nothing came', () => {
    expect(endOf({ ...run, stopped: 'The agent ended its turn.' })).toBe('The agent ended its turn.');
    expect(endOf({ ...run, stopped: 'constructor' })).toBe('constructor');
    expect(endOf({ ...run, state: 'lost', stopped: null })).toMatch(/the worker died, or lost its network/);
    expect(endOf({ ...run, state: 'running', stopped: null })).toMatch(/^Last report at /);
  });
});
