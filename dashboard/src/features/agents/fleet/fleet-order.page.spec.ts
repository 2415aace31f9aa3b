import { renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { FleetAgent } from '../../../api/types';
import { fleetViewOf, type FleetView, nextSort, shownAgents, useHeldOrder } from './fleet-order';

const agent = (name: string, reason: FleetAgent['why']['reason'], part: Partial<FleetAgent> = {}) =>
  ({
    ...{ id: name, name, description: '', current: null, waiting: 0, finished: 0, toolErrors: 0 },
    ...{ lastHeartbeatAt: null, activity: [], why: { reason, sentence: '' } },
    usage: { turns: 0, costMicros: 0 },
    ...part,
  }) as unknown as FleetAgent;
const usage = (turns: number, costMicros: number) => ({ turns, costMicros }) as FleetAgent['usage'];

const agents = [
  agent('juno 10', 'running', { usage: usage(3, 50), activity: [1, 2] }),
  agent('juno 9', 'agent_full', { usage: usage(1, 70), toolErrors: 2 }),
  agent('Ember', 'budget', { usage: usage(9, 70), waiting: 1, description: 'Writes the ledger' }),
  agent('atlas', 'agent_silent', { lastHeartbeatAt: '2026-11-22T09:30:00Z' }),
  agent('birch', 'ready', {
    lastHeartbeatAt: '2026-11-22T09:31:00Z',
    current: { key: 'PAY-7', title: 'Round refunds' } as FleetAgent['current'],
  }),
];
const names = (view: FleetView) => shownAgents(agents, view).map(({ name }) => name);

describe('shownAgents', () => {
  it('is in order of the name, in which numbers count as numbers and case does not', () => {
    expect(names({})).toEqual(['atlas', 'birch', 'Ember', 'juno 9', 'juno 10']);
    expect(names({ sort: '-name' })).toEqual(['juno 10', 'juno 9', 'Ember', 'birch', 'atlas']);
  });

  it('is in order of each column; what is equal is in order of the name', () => {
    expect(names({ sort: '-cost' })).toEqual(['Ember', 'juno 9', 'juno 10', 'atlas', 'birch']);
    expect(names({ sort: '-turns' }).slice(0, 3)).toEqual(['Ember', 'juno 10', 'juno 9']);
    expect(names({ sort: '-errors' })[0]).toBe('juno 9');
    expect(names({ sort: '-activity' })[0]).toBe('juno 10');
    expect(names({ sort: '-heartbeat' }).slice(0, 2)).toEqual(['birch', 'atlas']);
    expect(names({ sort: 'state' })).toEqual(['Ember', 'atlas', 'juno 9', 'juno 10', 'birch']);
  });

  it('keeps a group of states, one state, and those that ask a person', () => {
    expect(names({ state: 'at-work' })).toEqual(['juno 9', 'juno 10']);
    expect(names({ state: 'stopped' })).toEqual(['Ember']);
    expect(names({ state: 'agent_full' })).toEqual(['juno 9']);
    expect(names({ state: 'waiting' })).toEqual(['Ember']);
  });

  it('finds an agent by its name, description and issue', () => {
    expect(names({ q: 'JUN' })).toEqual(['juno 9', 'juno 10']);
    expect(names({ q: 'ledger' })).toEqual(['Ember']);
    expect(names({ q: 'pay-7' })).toEqual(['birch']);
    expect(names({ q: 'refunds birch' })).toEqual(['birch']);
  });
});

describe('fleetViewOf', () => {
  it('leaves out what no filter and no column is called', () => {
    expect(fleetViewOf({ q: 'x', state: 'stopped', sort: '-cost' })).toEqual({
      ...{ q: 'x', state: 'stopped', sort: '-cost' },
    });
    expect(fleetViewOf({ state: 'asleep', sort: '--cost' })).toEqual({});
  });
});

describe('nextSort', () => {
  it('begins figures with the largest, turns them round, and ends', () => {
    expect(nextSort('cost', undefined)).toBe('-cost');
    expect(nextSort('cost', '-cost')).toBe('cost');
    expect(nextSort('cost', 'cost')).toBeUndefined();
    expect(nextSort('turns', '-cost')).toBe('-turns');
  });

  it('begins states with what needs a person, and names with the last, because they are in order by themselves', () => {
    expect(nextSort('state', undefined)).toBe('state');
    expect(nextSort('name', undefined)).toBe('-name');
    expect(nextSort('name', '-name')).toBeUndefined();
  });
});

const rowsOf = (...ids: string[]) => ids.map((id) => ({ id }) as FleetAgent);

describe('useHeldOrder', () => {
  const list = () =>
    renderHook(({ rows, view }) => useHeldOrder(rows, view), {
      initialProps: { rows: rowsOf('a', 'b', 'c'), view: 'cost' },
    });
  const shown = ({ current }: ReturnType<typeof list>['result']) =>
    current.rows.map(({ id }) => id).join(' ');

  it('keeps rows in their places while they are held, what is new last, and follows again afterwards', () => {
    const { result, rerender } = list();
    result.current.hold();
    rerender({ rows: rowsOf('c', 'd', 'a', 'b'), view: 'cost' });
    expect(shown(result)).toBe('a b c d');
    result.current.release();
    rerender({ rows: rowsOf('c', 'd', 'a', 'b'), view: 'cost' });
    expect(shown(result)).toBe('c d a b');
  });

  it('follows another order or filter at once', () => {
    const { result, rerender } = list();
    result.current.hold();
    rerender({ rows: rowsOf('b', 'a'), view: 'turns' });
    expect(shown(result)).toBe('b a');
  });
});
