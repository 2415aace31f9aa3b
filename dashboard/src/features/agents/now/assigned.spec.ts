import { describe, expect, it } from 'vitest';
import type { ListedIssue } from '../../../api/types';
import { groupsOf, lineOf } from './now-tab';

const issue = (part: Partial<ListedIssue>) =>
  ({ id: 'x', status: 'Open', paused: false, lease: null, ...part }) as ListedIssue;

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
  const why = {
    reason: 'budget',
    sentence: 'The budget of cinder is used up.',
    waitsFor: [],
  } as ListedIssue['why'];

  it('is the sentence of the service', () => {
    expect(lineOf(issue({ why }), now)).toBe('The budget of cinder is used up.');
    expect(lineOf(issue({ status: 'InProgress', why }), now)).toBe('The budget of cinder is used up.');
  });

  it('says when a lease ends, and why nothing happens once it has ended', () => {
    const lease = { expiresAt: '2026-11-22T09:31:00Z' } as ListedIssue['lease'];
    const running = issue({ status: 'InProgress', lease, why });
    expect(lineOf(running, now)).toMatch(/^Lease until/);
    expect(lineOf(running, now + 120_000)).toBe('The budget of cinder is used up.');
  });
});
