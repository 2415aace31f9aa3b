import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Evaluates the condition until its value is truthy, and returns that: every 10 ms at first, and less often the longer
 * it waits, because the processors are wanted by what it waits for. @throws {Error} after `seconds`
 */
export async function until<T>(condition: () => T | Promise<T>, seconds = 60): Promise<NonNullable<T>> {
  const begun = Date.now();
  while (Date.now() < begun + seconds * 1000) {
    const value = await condition();
    if (value) return value;
    await sleep(Math.min(10 + (Date.now() - begun) / 10, 200));
  }
  throw new Error(`The condition did not come true in ${seconds} s.`);
}
