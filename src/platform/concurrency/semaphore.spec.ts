import { describe, expect, it } from '@jest/globals';
import { Semaphore } from './queues-semaphores-and-context-slots.js';

describe('a semaphore', () => {
  it('runs a fixed number of tasks at once, and every task in the end, also after failures', async () => {
    const semaphore = new Semaphore(2);
    let [running, most] = [0, 0];
    const task = async (fails: boolean) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (fails) throw new Error('failed');
    };
    const all = Array.from({ length: 9 }, (_, at) => semaphore.run(() => task(at % 2 === 0)));
    expect(semaphore.waiting).toBe(7);
    const ended = await Promise.allSettled(all);
    expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    expect([most, running, semaphore.waiting]).toEqual([2, 0, 0]);
  });

  it('lets a task leave the queue when its signal fires', async () => {
    const semaphore = new Semaphore(1);
    let open: () => void = () => undefined;
    const first = semaphore.run(() => new Promise<void>((resolve) => (open = resolve)));
    const canceller = new AbortController();
    const second = semaphore.run(async () => 'never', canceller.signal);
    const third = semaphore.run(async () => 'third');
    canceller.abort(new Error('cancelled'));
    await expect(second).rejects.toThrow('cancelled');
    open();
    await first;
    expect(await third).toBe('third');
    expect(await semaphore.run(async () => 'free')).toBe('free');
  });

  it('starts no task whose signal has fired already', async () => {
    const semaphore = new Semaphore(1);
    const late = semaphore.run(async () => 'never', AbortSignal.abort(new Error('cancelled')));
    await expect(late).rejects.toThrow('cancelled');
  });
});
