import { describe, expect, it } from '@jest/globals';
import { McpUnavailable } from '../connection/mcp-errors.js';
import { type CallPlace, CallSlots, placeOf } from './call-slots.js';

const LIMITS = { callsPerProcess: 2, callsInAll: 3, callsPerCaller: 9, queueLength: 10, patienceMs: 10_000 };
const place = (key: string, caller: string | null = null): CallPlace => ({
  serverId: key,
  credentialSetId: key,
  key,
  caller,
  share: caller && `${caller} ${key}`,
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

  it('admits callers that have equally many calls in turns, in the order in which they came', async () => {
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

  describe('for one caller', () => {
    const own = { kind: 'own_calls', retryAfterSeconds: 1 };
    const enter = (slots: CallSlots, key: string, caller: string, times: number) =>
      Promise.all(Array.from({ length: times }, () => slots.enter(place(key, caller))));

    it('leaves calls to others when it has as many running as one caller may have', async () => {
      const slots = new CallSlots({ ...LIMITS, callsInAll: 9, callsPerCaller: 2, patienceMs: 20 });
      for (const key of ['a', 'b']) await slots.enter(place(key, 'greedy'));
      await expect(slots.enter(place('c', 'greedy'))).rejects.toMatchObject({
        ...own,
        reason: expect.stringMatching(/^2 of your own calls are running, .* try again in 1 s\.$/),
      });
      expect(slots.tryEnter(place('c', 'greedy'))).toBeNull();
      await expect(slots.enter(place('c', 'modest'))).resolves.toBeInstanceOf(Function);
    });

    it('leaves half of the calls of a process to others, and has at least one', async () => {
      const slots = new CallSlots({ ...LIMITS, callsInAll: 99, callsPerProcess: 5, patienceMs: 20 });
      await enter(slots, 'a', 'greedy', 2);
      await expect(slots.enter(place('a', 'greedy'))).rejects.toMatchObject({
        ...own,
        reason: expect.stringContaining('2 of your own calls of this server are running'),
      });
      await enter(slots, 'a', 'modest', 2);
      const single = new CallSlots({ ...LIMITS, callsPerProcess: 1 });
      await expect(single.enter(place('a', 'only'))).resolves.toBeInstanceOf(Function);
    });

    it('admits a waiting call when one of its own calls has finished', async () => {
      const slots = new CallSlots({ ...LIMITS, callsPerCaller: 1 });
      const leave = await slots.enter(place('a', 'agent'));
      const waiting = slots.enter(place('b', 'agent'));
      leave();
      await expect(waiting).resolves.toBeInstanceOf(Function);
    });

    it('gives a slot that becomes free to the caller that has the fewest', async () => {
      const slots = new CallSlots({ ...LIMITS, callsPerProcess: 9 });
      const [leave] = await enter(slots, 'a', 'greedy', 3);
      const order: string[] = [];
      const ask = (caller: string) => slots.enter(place('a', caller)).then(() => order.push(caller));
      ask('greedy').catch(() => undefined); // Refused at the end of the test.
      const modest = ask('modest');
      leave!();
      await modest;
      expect(order).toEqual(['modest']);
      slots.refuseWaiting(new McpUnavailable('stopped', 'the test is over'));
    });

    it('cannot fill the queue: its last waiting call gives way to one of a caller with fewer', async () => {
      const slots = new CallSlots({ ...LIMITS, callsInAll: 1, queueLength: 3 });
      const leave = await slots.enter(place('a', 'greedy'));
      const waiting = [1, 2, 3].map(() => slots.enter(place('a', 'greedy')));
      const modest = slots.enter(place('a', 'modest'));
      await expect(waiting[2]).rejects.toMatchObject({ kind: 'own_calls' });
      await expect(slots.enter(place('a', 'greedy'))).rejects.toMatchObject({ kind: 'own_calls' });
      waiting[1]!.catch(() => undefined); // Refused at the end of the test.
      leave();
      (await waiting[0]!)();
      await expect(modest).resolves.toBeInstanceOf(Function);
      slots.refuseWaiting(new McpUnavailable('stopped', 'the test is over'));
    });

    it('is not a request that the service makes for all', () => {
      expect(placeOf('s', 'shared', { caller: 'agent', isForAll: true }).caller).toBeNull();
      expect(placeOf('s', 'shared', { caller: 'agent' }).caller).toBe('agent');
    });
  });
});
