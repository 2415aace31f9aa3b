import { expect } from '@jest/globals';
import type { Answer } from '../../../support/answer.js';

/** Returns a small number in a normal run, and a large one with TEST_SIZE=full. */
export const howMany = (usual: number, full: number) => (process.env['TEST_SIZE'] === 'full' ? full : usual);

/** Returns the numbers from 0 up to but not including `count`. */
export const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

/** Does `work` `count` times, `side` of them concurrently, so that few race with each other and none waits for long. */
export async function inBatches<T>(
  count: number,
  side: number,
  work: (number: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const next = upTo(count).values();
  const worker = async () => {
    for (const number of next) results[number] = await work(number);
  };
  await Promise.all(upTo(side).map(() => worker()));
  return results;
}

/** Expects that no response is a server error. */
export function expectNoServerErrors(answers: Answer<unknown>[]): void {
  expect(
    answers
      .filter(({ status }) => status >= 500)
      .map(({ method, path, status, text }) => ({ method, path, status, text })),
  ).toEqual([]);
}

/** Counts the responses by status. */
export function countByStatus(answers: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
