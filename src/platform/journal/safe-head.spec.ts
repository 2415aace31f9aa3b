import { describe, expect, it } from '@jest/globals';
import { SafeHead } from './safe-head.js';

const look = (oldestRunning: number, ...positions: number[]) => ({
  rows: positions.map((position) => ({ position, type: 'issue.created' })),
  oldestRunning: BigInt(oldestRunning),
});

/** A head at 4 below which no transaction is open. */
function headAtFour(): SafeHead {
  const head = new SafeHead(4);
  head.advance(look(1), 0);
  head.bar(1n);
  head.advance(look(1), 0);
  return head;
}

describe('SafeHead', () => {
  it('has no position until the transactions that were open at its start have ended', () => {
    const head = new SafeHead(4);
    expect(head.advance(look(10, 5), 0)).toBe(true);
    head.bar(20n);
    expect(head.advance(look(19, 5), 1)).toBe(false);
    expect(head.position).toBeNull();
    head.advance(look(20, 5), 2);
    expect(head.position).toBe(5);
  });

  it('moves over rows without a gap', () => {
    const head = headAtFour();
    expect(head.advance(look(10, 5, 6, 7), 0)).toBe(false);
    expect(head.position).toBe(7);
  });

  it('stops before a position that may still commit, and goes on when it does', () => {
    const head = headAtFour();
    expect(head.advance(look(10, 5, 7), 0)).toBe(true);
    expect(head.position).toBe(5);
    head.bar(20n);
    head.advance(look(19, 7, 8), 1);
    expect(head.position).toBe(5);
    head.advance(look(19, 6, 7, 8), 2);
    expect(head.position).toBe(8);
  });

  it('passes a gap once every transaction that can have taken it has ended', () => {
    const head = headAtFour();
    head.advance(look(10, 6, 8), 0);
    head.bar(20n);
    head.advance(look(20, 6, 8), 1);
    expect(head.position).toBe(8);
  });

  it('never passes a gap that was first seen after the barrier, whichever transactions have ended', () => {
    const head = headAtFour();
    head.advance(look(99, 6), 0);
    head.bar(20n);
    head.advance(look(99, 6, 8), 1);
    expect(head.position).toBe(6);
  });

  it('passes a gap that a transaction of another client keeps open for more than a minute', () => {
    const head = headAtFour();
    head.advance(look(10, 6), 0);
    head.bar(20n);
    head.advance(look(10, 6), 60_000);
    expect(head.position).toBe(4);
    head.advance(look(10, 6), 60_001);
    expect(head.position).toBe(6);
  });

  it('stops before a commit that waits for a synchronous standby for however long, and misses nothing of it', () => {
    const head = headAtFour();
    const waiting = { ...look(10, 6), awaitsStandby: true };
    head.advance(waiting, 0);
    head.bar(20n);
    expect(head.isHeldUp(60_000)).toBe(false);
    expect(head.isHeldUp(60_001)).toBe(true);
    head.advance(waiting, 3_600_000);
    expect(head.position).toBe(4);
    head.advance(look(20, 5, 6), 3_600_001);
    expect(head.position).toBe(6);
  });
});
