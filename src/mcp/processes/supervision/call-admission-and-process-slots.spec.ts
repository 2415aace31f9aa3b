import { describe, expect, it } from '@jest/globals';
import { ProcessSlots, type SlotHolder } from './call-admission-and-process-slots.js';

/** A holder that is idle since then, or busy (null), and records that it gave way. */
function aHolder(idleSince: number | null, owner: string | null = null): SlotHolder & { gaveWay: boolean } {
  return {
    owner,
    gaveWay: false,
    idleSince() {
      return this.gaveWay ? null : idleSince;
    },
    async giveWay() {
      this.gaveWay = true;
    },
  };
}

describe('ProcessSlots', () => {
  it('makes only the holder that is idle longest give way', async () => {
    const slots = new ProcessSlots(2, 1_000);
    const [old, young, busy, next] = [aHolder(1), aHolder(2), aHolder(null), aHolder(null)];
    await slots.take(young);
    await slots.take(old);
    await slots.take(busy);
    expect([old.gaveWay, young.gaveWay]).toEqual([true, false]);
    await slots.take(next);
    expect(young.gaveWay).toBe(true);
  });

  it('waits for a slot to be released when all holders are busy, and refuses when none is', async () => {
    const slots = new ProcessSlots(1, 50);
    const [first, second] = [aHolder(null), aHolder(null)];
    await slots.take(first);
    await expect(slots.take(second)).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 1 });
    const waiting = slots.take(second);
    slots.release(first);
    await expect(waiting).resolves.toBeUndefined();
  });

  it('leaves half of the slots to others when one agent has processes of its own', async () => {
    const slots = new ProcessSlots(4, 20);
    for (const _ of [1, 2]) await slots.take(aHolder(null, 'greedy'));
    await expect(slots.take(aHolder(null, 'greedy'))).rejects.toMatchObject({
      kind: 'own_calls',
      reason: expect.stringContaining('keep 2 server processes busy'),
    });
    await expect(slots.take(aHolder(null, 'modest'))).resolves.toBeUndefined();
    await expect(slots.take(aHolder(null))).resolves.toBeUndefined();
  });

  it('makes an idle process of the agent itself give way when the agent has its share', async () => {
    const slots = new ProcessSlots(4, 20);
    const [other, own] = [aHolder(1, 'other'), aHolder(2, 'greedy')];
    for (const holder of [other, own, aHolder(null, 'greedy')]) await slots.take(holder);
    await slots.take(aHolder(null, 'greedy'));
    expect([other.gaveWay, own.gaveWay]).toEqual([false, true]);
  });

  it('gives a slot that becomes free to the agent that has the fewest', async () => {
    const slots = new ProcessSlots(4, 1_000);
    const [first, second] = [aHolder(null), aHolder(null)];
    for (const holder of [first, second, aHolder(null), aHolder(null, 'greedy')]) await slots.take(holder);
    const order: string[] = [];
    const [greedy, modest] = ['greedy', 'modest'].map((owner) =>
      slots.take(aHolder(null, owner)).then(() => order.push(owner)),
    );
    slots.release(first);
    await modest;
    expect(order).toEqual(['modest']);
    slots.release(second);
    await greedy;
  });
});
