import { describe, expect, it } from '@jest/globals';
import { JournalHead } from './journal-head.js';

const look = (oldestRunning: number, ...positions: number[]) => ({
  positions,
  oldestRunning: BigInt(oldestRunning),
});

describe('the head of the journal', () => {
  it('moves over what is there without a gap', () => {
    const head = new JournalHead(4);
    expect(head.advance(look(10, 5, 6, 7), 0)).toBe(false);
    expect(head.at).toBe(7);
  });

  it('stops before a position that may still commit, and goes on with it', () => {
    const head = new JournalHead(4);
    expect(head.advance(look(10, 5, 7), 0)).toBe(true);
    expect(head.at).toBe(5);
    head.bar(20n);
    head.advance(look(19, 7, 8), 1);
    expect(head.at).toBe(5);
    head.advance(look(19, 6, 7, 8), 2);
    expect(head.at).toBe(8);
  });

  it('passes a gap once everyone who can have taken it has ended', () => {
    const head = new JournalHead(4);
    head.advance(look(10, 6, 8), 0);
    head.bar(20n);
    head.advance(look(20, 6, 8), 1);
    expect(head.at).toBe(8);
  });

  it('never passes a gap that was not seen before the barrier, whatever has ended', () => {
    const head = new JournalHead(4);
    head.advance(look(99, 6), 0);
    head.bar(20n);
    head.advance(look(99, 6, 8), 1);
    expect(head.at).toBe(6);
  });

  it('is not held up for ever by a transaction of somebody else', () => {
    const head = new JournalHead(4);
    head.advance(look(10, 6), 0);
    head.bar(20n);
    head.advance(look(10, 6), 60_000);
    expect(head.at).toBe(4);
    head.advance(look(10, 6), 60_001);
    expect(head.at).toBe(6);
  });
});
