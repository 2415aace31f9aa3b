import { describe, expect, it } from 'vitest';
import type { Agent } from '../../api/types';
import { agentState } from './agent-state';

const NOW = Date.parse('2026-11-22T09:30:00Z');
const agent = {
  disabled: false,
  failing: null as Agent['failing'],
  lastHeartbeatAt: '2026-11-22T09:29:30Z',
  activeIssues: 0,
  maxConcurrentIssues: 3,
};
const word = (change: Partial<typeof agent> | { lastHeartbeatAt: null }) =>
  agentState({ ...agent, ...change }, NOW).word;

describe('agentState', () => {
  it('is idle, working or full by the number of issues', () => {
    expect([word({}), word({ activeIssues: 1 }), word({ activeIssues: 3 })]).toEqual([
      'Idle',
      'Working',
      'Full',
    ]);
  });

  it('is failing while a worker says so, with why, since when and what to do', () => {
    const failing = { worker: 'host-bot', reason: 'git ended with code 128', since: '2026-11-22T09:20:00Z' };
    expect(agentState({ ...agent, failing }, NOW)).toMatchObject({
      word: 'Failing',
      reason: expect.stringMatching(
        /^It has taken no new work since .*\d\d: git ended with code 128\. Correct that, then start its worker host-bot again\.$/,
      ),
    });
    expect(agentState({ ...agent, failing, disabled: true }, NOW).word).toBe('Disabled');
  });

  it('is silent once the default lease has passed without a heartbeat', () => {
    expect(word({ lastHeartbeatAt: '2026-11-22T09:26:59Z' })).toBe('Silent');
    expect(word({ lastHeartbeatAt: '2026-11-22T09:27:30Z' })).toBe('Idle');
  });

  it('says that an agent has never connected', () => {
    expect(word({ lastHeartbeatAt: null })).toBe('Never connected');
  });

  it('is disabled, whatever else is true', () => {
    expect(word({ disabled: true, activeIssues: 3 })).toBe('Disabled');
  });

  it('says how long an agent has been silent', () => {
    expect(agentState({ ...agent, lastHeartbeatAt: '2026-11-22T07:30:00Z' }, NOW).reason).toContain('2 h');
  });
});
