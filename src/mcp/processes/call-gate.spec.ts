import { describe, expect, it } from '@jest/globals';
import { CallGate, type CallPlace } from './call-gate.js';
import { McpUnavailable } from './mcp-errors.js';

const LIMITS = { callsPerProcess: 2, callsInAll: 3, queueLength: 10, patienceMs: 10_000 };
const place = (key: string, caller = 'agent'): CallPlace => ({ serverId: key, key, caller });

describe('the gate of calls', () => {
  it('lets a call in when one of its process has left', async () => {
    const gate = new CallGate(LIMITS);
    const leave = await gate.enter(place('a'));
    await gate.enter(place('a'));
    const third = gate.enter(place('a'));
    await expect(Promise.race([third, 'waits'])).resolves.toBe('waits');
    leave();
    await expect(third).resolves.toBeInstanceOf(Function);
  });

  it('does not let a full process hold up those who want another one', async () => {
    const gate = new CallGate(LIMITS);
    await gate.enter(place('a'));
    await gate.enter(place('a'));
    gate.enter(place('a')).catch(() => undefined);
    await expect(gate.enter(place('b'))).resolves.toBeInstanceOf(Function);
    gate.refuseWaiting(new McpUnavailable('stopped', 'the test is over'));
  });

  it('takes turns between callers in the order in which they came', async () => {
    const gate = new CallGate({ ...LIMITS, callsInAll: 1 });
    const first = await gate.enter(place('a'));
    const order: string[] = [];
    const ask = async (caller: string): Promise<void> => {
      const leave = await gate.enter(place('a', caller));
      order.push(caller);
      leave();
    };
    const all = ['x', 'x', 'x', 'y', 'z', 'y'].map(ask);
    first();
    await Promise.all(all);
    expect(order).toEqual(['x', 'y', 'z', 'x', 'y', 'x']);
  });

  it('refuses at once when the queue is full, and who waited too long, with a time to come again', async () => {
    const gate = new CallGate({ ...LIMITS, callsInAll: 1, queueLength: 1, patienceMs: 20 });
    await gate.enter(place('a'));
    const waiting = gate.enter(place('a'));
    await expect(gate.enter(place('a'))).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 1 });
    await expect(waiting).rejects.toMatchObject({ kind: 'busy' });
    const again = gate.enter(place('a'));
    await expect(again).rejects.toMatchObject({
      kind: 'busy',
      reason: expect.stringContaining('Try again in 1 s'),
    });
  });

  it('refuses those who wait for one server, and lets go of who gives up', async () => {
    const gate = new CallGate({ ...LIMITS, callsInAll: 1 });
    const leave = await gate.enter(place('a'));
    const giveUp = new AbortController();
    const given = gate.enter(place('b'), giveUp.signal);
    const stopped = gate.enter(place('c'));
    const served = gate.enter(place('d'));
    giveUp.abort();
    gate.refuseWaiting(new McpUnavailable('stopped', 'gone'), 'c');
    await expect(given).rejects.toMatchObject({ kind: 'cancelled' });
    await expect(stopped).rejects.toMatchObject({ kind: 'stopped' });
    leave();
    await expect(served).resolves.toBeInstanceOf(Function);
  });
});
