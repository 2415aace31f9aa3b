import { describe, expect, it } from 'vitest';
import type { Activity, Comment } from '../../../api/types';
import { isOfKind, within } from './timeline';
import { answerWords } from './timeline-words';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 2, 8, minute)).toISOString();
const row = (type: Activity['type'], minute: number, data: object = {}) => {
  const createdAt = at(minute);
  return {
    id: `${type} ${minute}`,
    at: createdAt,
    activity: { type, createdAt, data } as unknown as Activity,
  };
};
const said = (minute: number) => ({ id: `said ${minute}`, at: at(minute), comment: {} as Comment });
const entries = [
  row('issue.created', 0),
  row('issue.tools_called', 10, { lastAt: at(14) }),
  said(20),
  row('issue.status_changed', 30),
];
const idsIn = (from: number, to: number) =>
  within(entries, { from: Date.parse(at(from)), to: Date.parse(at(to)), words: '' }).map(({ id }) => id);

describe('the timeline', () => {
  it('narrows to a time, and takes the calls of a turn as long as they last', () => {
    expect(idsIn(19, 31)).toEqual(['said 20', 'issue.status_changed 30']);
    expect(idsIn(13, 13)).toEqual(['issue.tools_called 10']);
    expect(within(entries, null)).toHaveLength(4);
  });

  it('shows what happened right before and after a time in which nothing did', () => {
    expect(idsIn(16, 17)).toEqual(['issue.tools_called 10', 'said 20']);
  });

  it.each([
    ['comments', ['said 20', 'gate.answered 40']],
    ['changes', ['issue.created 0', 'issue.status_changed 30']],
    ['runs', ['issue.tools_called 10', 'gate.answered 40']],
  ] as const)('narrows to %s; an answer is both said and part of a run', (kind, ids) => {
    const all = [...entries, row('gate.answered', 40)];
    expect(all.filter((entry) => isOfKind(entry, kind)).map(({ id }) => id)).toEqual(ids);
  });
});

describe('an answer', () => {
  it.each([
    [{ option: 'Today', text: null }, 'Today'],
    [{ option: null, text: 'Next week.' }, 'Next week.'],
    [{ decision: 'deny', scope: 'once', note: 'Not on a Friday.' }, 'Denied: Not on a Friday.'],
    [{ decision: 'extend', by: 5 }, 'Raised'],
    [null, ''],
  ])('%j reads as %j', (answer, words) => {
    expect(answerWords(answer)).toBe(words);
  });
});
