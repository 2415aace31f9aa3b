import { describe, expect, it } from 'vitest';
import type { IssueStatus, ListedIssue } from '../../../api/types';
import { columnsOf, newestOf } from './board-data';

const issue = (id: string, status: IssueStatus) => ({ id, status }) as ListedIssue;

describe('columnsOf', () => {
  it('shows each issue in the column of its status, in the given order', () => {
    const { Open, Resolved } = columnsOf(
      [issue('a', 'Open'), issue('b', 'Resolved'), issue('c', 'Open')],
      new Map(),
    );
    expect(Open.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(Resolved.map(({ id }) => id)).toEqual(['b']);
  });

  it('shows an issue where a pending move takes it, and not at all when it is being closed', () => {
    const moved = columnsOf(
      [issue('a', 'Open'), issue('b', 'Open')],
      new Map<string, IssueStatus>([
        ['a', 'InProgress'],
        ['b', 'Closed'],
      ]),
    );
    expect(moved.Open).toEqual([]);
    expect(moved.InProgress.map(({ id }) => id)).toEqual(['a']);
  });
});

describe('newestOf', () => {
  it('has an issue once that is among the unfinished and the resolved ones, as it is now', () => {
    const before = { ...issue('a', 'InProgress'), version: 2 };
    const now = { ...issue('a', 'Resolved'), version: 3 };
    const other = { ...issue('b', 'Open'), version: 1 };
    expect(newestOf([before, other, now])).toEqual([now, other]);
    expect(newestOf([now, before])).toEqual([now]);
  });
});
