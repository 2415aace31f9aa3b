import { describe, expect, it } from 'vitest';
import type { ListedIssue, Priority } from '../../../api/types';
import { alsoAffected, sameWhereEqual, withReread } from './board-data';

const row = (id: string, priority: Priority = 'none', more: object = {}) =>
  ({
    id,
    priority,
    createdAt: `2026-01-0${id.charCodeAt(0) - 96}`,
    why: { waitsFor: [] },
    ...more,
  }) as unknown as ListedIssue;
const ids = (rows: readonly ListedIssue[]) => rows.map(({ id }) => id).join('');

describe('sameWhereEqual', () => {
  it('keeps the objects of rows that did not change', () => {
    const before = [row('a'), row('b')];
    const now = sameWhereEqual(before, [row('b'), row('a', 'high')]);
    expect(now[0]).toBe(before[1]);
    expect(now[1]).not.toBe(before[0]);
  });
});

describe('withReread', () => {
  const before = [row('c', 'high'), row('b'), row('a')];

  it('changes one row and keeps the objects of all others', () => {
    const now = withReread(before, new Set(['b']), [row('b', 'none', { title: 'new' })]);
    expect(ids(now)).toBe('cba');
    expect([now[0] === before[0], now[1] === before[1], now[2] === before[2]]).toEqual([true, false, true]);
  });

  it('puts rows where the order of the service has them: most urgent first, then the latest', () => {
    const now = withReread(before, new Set(['a', 'd']), [row('a', 'urgent'), row('d')]);
    expect(ids(now)).toBe('acdb');
    expect([now[1] === before[0], now[3] === before[1]]).toEqual([true, true]);
  });

  it('leaves out the rows that did not come back', () => {
    expect(ids(withReread(before, new Set(['c']), []))).toBe('ba');
  });

  it('returns the same list when nothing changed', () => {
    expect(withReread(before, new Set(['b', 'z']), [row('b')])).toBe(before);
  });
});

describe('alsoAffected', () => {
  const changed = new Set(['a']);
  const of = (...rows: ListedIssue[]) => [...alsoAffected(rows, changed)].join('');

  it('names what waits for a changed issue', () => {
    const waits = { why: { reason: 'waiting', waitsFor: [{ type: 'issue', id: 'a', label: 'X-1' }] } };
    expect(of(row('a'), row('b', 'none', waits), row('c'))).toBe('ab');
  });

  it('names what the agent of a changed issue can take next', () => {
    const has = (assignedAgentId: string | null, reason: string) => ({
      assignedAgentId,
      why: { reason, waitsFor: [] },
    });
    const rows = [
      row('a', 'none', has('agent', 'running')),
      row('b', 'none', has('agent', 'agent_full')),
      row('c', 'none', has('agent', 'waiting')),
      row('d', 'none', has('other', 'ready')),
    ];
    expect(of(...rows)).toBe('ab');
  });

  it('relates nothing to an issue without an agent', () => {
    const unassigned = { assignedAgentId: null, why: { reason: 'ready', waitsFor: [] } };
    expect(of(row('a', 'none', unassigned), row('b', 'none', unassigned))).toBe('a');
  });
});
