import { describe, expect, it } from 'vitest';
import type { AttentionAction, AttentionItem } from '../../api/types';
import { buttonsOf, placeOf, rowsOf, sayTime, wordsOf } from './inbox';
import { snoozeTimes } from './snooze';

const call = (label: string, body: AttentionAction['body'], elevated = false): AttentionAction => ({
  ...{ label, body, elevated, method: 'POST', path: '/api/x' },
});
const anItem = (fields: Partial<AttentionItem>): AttentionItem =>
  ({
    ...{
      id: 'x',
      kind: 'gate',
      tab: 'decide',
      title: 'A title',
      detail: 'A detail',
      since: '',
      severity: 'notice',
    },
    ...{
      project: null,
      issue: null,
      agent: null,
      server: null,
      webhook: null,
      schedule: null,
      gate: null,
      gateId: null,
    },
    ...{ question: null, options: [], group: null, snoozedUntil: null, blocks: { issues: 0, agents: 0 } },
    ...{ action: null, alternatives: [], needsRole: 'Editor' },
    ...fields,
  }) as AttentionItem;
const issue = { id: 'i', key: 'PAY-1', title: 'Pay' };
const question = { id: 'g', kind: 'question', form: false };
const [editor, viewer] = [() => true, () => false];
const labels = (item: AttentionItem) =>
  buttonsOf(item, editor).map((button) => [button.label, button.call?.label ?? null]);

describe('rowsOf', () => {
  const group = { id: 'same', items: 3, agents: 2 };
  const items = [anItem({ id: 'a', group }), anItem({ id: 'b' }), anItem({ id: 'c', group })];

  it('makes one row of equal questions, where the first of them stands, and counts those that are not loaded', () => {
    const rows = rowsOf(items, new Set());
    expect(rows.map((row) => [row.items.map(({ id }) => id), row.size])).toEqual([
      [['a', 'c'], 3],
      [['b'], 1],
    ]);
  });

  it('keeps them apart where a person asks for that', () => {
    expect(rowsOf(items, new Set(['same'])).map(({ id, size }) => [id, size])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ]);
  });
});

describe('buttonsOf', () => {
  it('has the options of a question in their order, and not the recommended one first', () => {
    const item = anItem({
      ...{ gate: question, options: ['Now', 'Later'] },
      ...{ action: call('Later', { option: 'Later' }), alternatives: [call('Now', { option: 'Now' })] },
    });
    expect(buttonsOf(item, editor).map(({ label, look }) => [label, look])).toEqual([
      ['Now', 'plain'],
      ['Later', 'primary'],
    ]);
  });

  it('has none for those who may not answer', () => {
    expect(buttonsOf(anItem({ gate: question, options: ['Now'] }), viewer)).toEqual([]);
    expect(buttonsOf(anItem({ gate: question }), viewer)).toEqual([]);
    expect(buttonsOf(anItem({ kind: 'review', issue }), viewer)).toEqual([]);
  });

  it('opens the form of a question without options, of one with fields, and of a budget', () => {
    expect(labels(anItem({ gate: question }))).toEqual([['Answer…', null]]);
    expect(labels(anItem({ gate: { ...question, form: true } }))).toEqual([['Fill in the form…', null]]);
    const stop = call('Stop', { decision: 'stop' });
    expect(labels(anItem({ gate: { ...question, kind: 'budget' }, alternatives: [stop] }))).toEqual([
      ['Extend…', null],
      ['Keep it stopped', 'Stop'],
    ]);
  });

  it('resolves a review at once, and asks for a reason before it goes back', () => {
    const alternatives = [
      call('Mark as resolved', { status: 'Resolved' }),
      call('Ask for changes', { status: 'InProgress' }),
    ];
    expect(labels(anItem({ kind: 'review', issue, alternatives }))).toEqual([
      ['Resolve', 'Mark as resolved'],
      ['Send back…', null],
    ]);
  });

  it('leaves out what is done elsewhere: servers in elevated mode, and keys that are shown once', () => {
    const made = { ...call('Make a new key', { name: 'x' }), path: '/api/auth/keys' };
    expect(buttonsOf(anItem({ kind: 'key_expiring', action: made }), editor)).toEqual([]);
    expect(
      buttonsOf(anItem({ kind: 'server_error', action: call('Verify again', null, true) }), editor),
    ).toEqual([]);
  });
});

describe('what a row says', () => {
  it('is the question, or the title of the issue with what is the case', () => {
    expect(wordsOf(anItem({ gate: question, question: 'All of it?', issue })).title).toBe('All of it?');
    const failed = anItem({ kind: 'exhausted', title: 'PAY-1 failed 5 times: Pay', issue });
    expect(wordsOf(failed)).toEqual({ about: 'failed 5 times', title: 'Pay', detail: 'A detail' });
    const stuck = anItem({ kind: 'stuck', title: 'Others wait for PAY-1: Pay', issue });
    expect(wordsOf(stuck).about).toBe('Others wait for it');
  });

  it('leads to the issue, or to the page that has what is broken', () => {
    expect(placeOf(anItem({ issue }))).toMatchObject({ to: '/i/$key', params: { key: 'PAY-1' } });
    const agent = { id: 'a', name: 'juno' };
    expect(placeOf(anItem({ kind: 'key_expiring', agent }))).toMatchObject({
      to: '/agents/$id/$tab',
      params: { tab: 'keys' },
    });
    expect(placeOf(anItem({}))).toBeNull();
  });
});

describe('the times of a snooze', () => {
  const saturday = new Date(2026, 10, 28, 15, 30);
  const said = (now: Date) => snoozeTimes(now).map(({ label, until }) => [label, sayTime(until, now)]);

  it('are an hour, this evening, tomorrow and next Monday by the own clock', () => {
    expect(said(saturday).map(([label, time]) => [label, time!.slice(-5)])).toEqual([
      ['In 1 hour', '16:30'],
      ['This evening', '18:00'],
      ['Tomorrow morning', '09:00'],
      ['Next Monday', '09:00'],
    ]);
    expect(snoozeTimes(saturday).at(-1)!.until.getDate()).toBe(30);
  });

  it('have no evening once it is over, and on a Monday the next one', () => {
    const monday = new Date(2026, 10, 30, 19);
    expect(snoozeTimes(monday).map(({ id }) => id)).toEqual(['hour', 'tomorrow', 'monday']);
    expect(snoozeTimes(monday).at(-1)!.until.getDate()).toBe(7);
  });
});
