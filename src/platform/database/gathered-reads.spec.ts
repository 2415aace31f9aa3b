import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { GatheredReads } from './gathered-reads.js';

/** Reads that are answered when the test says so. */
function heldReads() {
  const statements: { keys: string[]; answer: (found: Map<string, string>) => void; fail: () => void }[] = [];
  const reads = new GatheredReads<string>(
    (keys) =>
      new Promise((answer, refuse) =>
        statements.push({ keys, answer, fail: () => refuse(new Error('the database is gone')) }),
      ),
  );
  return { reads, statements };
}
const settle = () => pause(1);

it('asks once for all that comes at the same time, and once for each key', async () => {
  const { reads, statements } = heldReads();
  const asked = ['a', 'b', 'a'].map((key) => reads.read(key));
  await settle();
  expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b']]);
  statements[0]!.answer(new Map([['a', 'A']]));
  expect(await Promise.all(asked)).toEqual(['A', null, 'A']);
});

it('never answers with a statement that began before the question', async () => {
  const { reads, statements } = heldReads();
  const first = reads.read('a');
  await settle();
  const later = reads.read('a');
  statements[0]!.answer(new Map([['a', 'before']]));
  expect(await first).toBe('before');
  await settle();
  statements[1]!.answer(new Map([['a', 'after']]));
  expect(await later).toBe('after');
});

it('tells a fault to all that were asked in the statement, and goes on', async () => {
  const { reads, statements } = heldReads();
  const asked = [reads.read('a'), reads.read('b')];
  await settle();
  statements[0]!.fail();
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const next = reads.read('a');
  await settle();
  statements[1]!.answer(new Map([['a', 'A']]));
  expect(await next).toBe('A');
});
