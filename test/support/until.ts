import { setTimeout as sleep } from 'node:timers/promises';

/** Evaluates the condition every 10 ms until its value is truthy, and returns that. @throws {Error} after `seconds` */
export async function until<T>(condition: () => T | Promise<T>, seconds = 60): Promise<NonNullable<T>> {
  const deadline = Date.now() + seconds * 1000;
  while (Date.now() < deadline) {
    const value = await condition();
    if (value) return value;
    await sleep(10);
  }
  throw new Error(`The condition did not come true in ${seconds} s.`);
}
