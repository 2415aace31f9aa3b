import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { PacedTask } from './journal-follower-and-subscriptions.worker.js';

/** A task whose runs end when the test says so. */
function heldTask(interval = Infinity) {
  const ends: (() => void)[] = [];
  const task = new PacedTask(
    () => new Promise<void>((resolve) => ends.push(resolve)),
    () => interval,
  );
  return { task, ends };
}

describe('PacedTask', () => {
  it('runs once more, and only once, when it is woken during a run', async () => {
    const { task, ends } = heldTask();
    task.wake();
    task.wake();
    task.wake();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await nextTurn();
    expect(ends).toHaveLength(2);
    ends[1]!();
    await nextTurn();
    expect(ends).toHaveLength(2);
  });

  it('runs again after its interval', async () => {
    const { task, ends } = heldTask(1);
    task.wake();
    ends[0]!();
    await pause(50);
    expect(ends).toHaveLength(2);
  });

  it('waits for the run under way when it ends, and runs no more', async () => {
    const { task, ends } = heldTask(1);
    task.wake();
    let hasEnded = false;
    const end = task.end().then(() => (hasEnded = true));
    await nextTurn();
    expect(hasEnded).toBe(false);
    ends[0]!();
    await end;
    task.wake();
    await pause(20);
    expect(ends).toHaveLength(1);
  });
});
