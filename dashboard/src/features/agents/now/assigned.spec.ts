import { describe, expect, it } from 'vitest';
import type { Agent, ListedIssue } from '../../../api/types';
import { groupsOf, lineOf } from './assigned';

const issue = (part: Partial<ListedIssue>) =>
  ({ id: 'x', status: 'Open', paused: false, lease: null, ...part }) as ListedIssue;
const agent = { disabled: false, activeIssues: 1, maxConcurrentIssues: 3 } as Agent;

describe('groupsOf', () => {
  it('separates what is in progress, what comes next and what waits', () => {
    const groups = groupsOf([
      issue({ status: 'Open' }),
      issue({ status: 'InProgress' }),
      issue({ status: 'WaitingOnDependency' }),
      issue({ status: 'Open', paused: true }),
    ]);
    expect(groups.map(({ title, issues }) => [title, issues.length])).toEqual([
      ['In progress', 1],
      ['Next', 1],
      ['Waits', 2],
    ]);
  });

  it('leaves out groups without issues', () => {
    expect(groupsOf([])).toEqual([]);
  });
});

describe('lineOf', () => {
  const now = Date.parse('2026-11-22T09:30:00Z');
  it('says that a full agent takes the next issue when one is finished', () => {
    expect(lineOf(issue({}), { ...agent, activeIssues: 3 }, now)).toBe('Next, when one is finished');
    expect(lineOf(issue({}), agent, now)).toBe('Handed out on its next heartbeat');
  });

  it('says when a lease ends, and that it has ended', () => {
    const running = issue({
      status: 'InProgress',
      lease: { expiresAt: '2026-11-22T09:31:00Z' } as ListedIssue['lease'],
    });
    expect(lineOf(running, agent, now)).toMatch(/^Lease until/);
    expect(lineOf(running, agent, now + 120_000)).toMatch(/^Lease ran out/);
  });

  it('says that a paused issue must be resumed', () => {
    expect(lineOf(issue({ paused: true }), agent, now)).toContain('resume');
  });
});
