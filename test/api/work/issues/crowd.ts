import { expect } from '@jest/globals';
import type { Answer } from '../../../support/caller.js';

/** How many: few in a usual run, many with TEST_SIZE=full. */
export const howMany = (usual: number, full: number) => (process.env['TEST_SIZE'] === 'full' ? full : usual);

/** The numbers below `count`. */
export const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

/** One after another `count` times, but `side` of them at once, so that the races are between few and the waits short. */
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

/** No answer may be a fault of the service's own. */
export function expectNoFaults(answers: Answer<unknown>[]): void {
  expect(
    answers
      .filter(({ status }) => status >= 500)
      .map(({ method, path, status, text }) => ({ method, path, status, text })),
  ).toEqual([]);
}

/** How often each status was answered. */
export function tally(answers: { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
