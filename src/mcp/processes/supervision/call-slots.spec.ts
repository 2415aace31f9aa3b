import { describe, expect, it } from '@jest/globals';
import { CallSlots, type CallPlace } from './call-slots.js';
import { McpUnavailable } from '../connection/mcp-errors.js';

const LIMITS = { callsPerProcess: 2, callsInAll: 3, queueLength: 10, patienceMs: 10_000 };
const place = (key: string, caller = 'agent'): CallPlace => ({
  serverId: key,
  credentialSetId: key,
  key,
  caller,
});

describe('CallSlots', () => {
  it('admits a waiting call when another call of its process has finished', async () => {
    const slots = new CallSlots(LIMITS);
    const leave = await slots.enter(place('a'));
    await slots.enter(place('a'));
    const third = slots.enter(place('a'));
    await expect(Promise.race([third, 'waits'])).resolves.toBe('waits');
    leave();
    await expect(third).resolves.toBeInstanceOf(Function);
  });

  it('admits a call to another process while one process is full', async () => {
    const slots = new CallSlots(LIMITS);
    await slots.enter(place('a'));
    await slots.enter(place('a'));
    slots.enter(place('a')).catch(() => undefined); // Refused at the end of the test.
    await expect(slots.enter(place('b'))).resolves.toBeInstanceOf(Function);
    slots.refuseWaiting(new McpUnavailable('stopped', 'the test is over'));
  });

  it('admits callers in turns, in the order in which they came', async () => {
    const slots = new CallSlots({ ...LIMITS, callsInAll: 1 });
    const first = await slots.enter(place('a'));
    const order: string[] = [];
    const ask = async (caller: string): Promise<void> => {
      const leave = await slots.enter(place('a', caller));
      order.push(caller);
      leave();
    };
    const all = ['x', 'x', 'x', 'y', 'z', 'y'].map(ask);
    first();
    await Promise.all(all);
    expect(order).toEqual(['x', 'y', 'z', 'x', 'y', 'x']);
  });

  it('refuses a call when the queue is full or the wait is too long, and names the time to try again', async () => {
    const slots = new CallSlots({ ...LIMITS, callsInAll: 1, queueLength: 1, patienceMs: 20 });
    await slots.enter(place('a'));
    const waiting = slots.enter(place('a'));
    await expect(slots.enter(place('a'))).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 1 });
    await expect(waiting).rejects.toMatchObject({ kind: 'busy' });
    const again = slots.enter(place('a'));
    await expect(again).rejects.toMatchObject({
      kind: 'busy',
      reason: expect.stringContaining('Try again in 1 s'),
    });
  });

  it('refuses the calls that wait for one server, and releases a cancelled call', async () => {
    const slots = new CallSlots({ ...LIMITS, callsInAll: 1 });
    const leave = await slots.enter(place('a'));
    const giveUp = new AbortController();
    const given = slots.enter(place('b'), giveUp.signal);
    const stopped = slots.enter(place('c'));
    const served = slots.enter(place('d'));
    giveUp.abort();
    slots.refuseWaiting(new McpUnavailable('stopped', 'gone'), 'c');
    await expect(given).rejects.toMatchObject({ kind: 'cancelled' });
    await expect(stopped).rejects.toMatchObject({ kind: 'stopped' });
    leave();
    await expect(served).resolves.toBeInstanceOf(Function);
  });
});
