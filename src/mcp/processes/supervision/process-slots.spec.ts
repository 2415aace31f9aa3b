import { describe, expect, it } from '@jest/globals';
import { ProcessSlots, type SlotHolder } from './process-slots.js';

/** A holder that is idle since then, or busy (null), and records that it gave way. */
function aHolder(idleSince: number | null): SlotHolder & { gaveWay: boolean } {
  return {
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
});
