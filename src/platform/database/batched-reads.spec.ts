import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Span } from '@opentelemetry/api';
import { currentSpan, setSpanStarter, startRootSpan, withSpan } from '../tracing/spans.js';
import { BatchedReads } from './batched-reads.js';

/** Reads whose statements finish when the test says so. */
function heldReads(most?: number) {
  const statements: { keys: string[]; answer: (found: Map<string, string>) => void; fail: () => void }[] = [];
  const reads = new BatchedReads<string>(
    'letters',
    (keys) =>
      new Promise((answer, refuse) =>
        statements.push({ keys, answer, fail: () => refuse(new Error('the database is gone')) }),
      ),
    most,
  );
  return { reads, statements };
}
const settle = () => pause(1);

it('reads all keys that arrive at the same time in one statement, each key once', async () => {
  const { reads, statements } = heldReads();
  const asked = ['a', 'b', 'a'].map((key) => reads.read(key));
  await settle();
  expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b']]);
  statements[0]!.answer(new Map([['a', 'A']]));
  expect(await Promise.all(asked)).toEqual(['A', null, 'A']);
});

it('reads no more keys in one statement than it may, and the others in the next one', async () => {
  const { reads, statements } = heldReads(2);
  const asked = ['a', 'b', 'c', 'a'].map((key) => reads.read(key));
  await settle();
  statements[0]!.answer(new Map([['a', 'A']]));
  expect([await asked[0], await asked[1], await asked[3]]).toEqual(['A', null, 'A']);
  await settle();
  expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c']]);
  statements[1]!.answer(new Map([['c', 'C']]));
  expect(await asked[2]).toBe('C');
});

it('never serves a read from a statement that began before it', async () => {
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

it('fails every read of a failed statement, and serves the next one', async () => {
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

it('runs the statement in the trace of none of its callers, and a read of each in that of its own', async () => {
  const started: string[] = [];
  setSpanStarter({
    start: (name, _, parent) => {
      started.push(name);
      return { name, parent, isRecording: () => true, end: () => undefined } as unknown as Span;
    },
  });
  let current: unknown;
  const reads = new BatchedReads<string>('letters', async () => {
    current = currentSpan();
    return new Map();
  });
  const asked = ['first', 'second'].map((name) => withSpan(startRootSpan(name, {})!, () => reads.read(name)));
  await Promise.all(asked);
  setSpanStarter(null);
  expect(current).toBeNull();
  expect(started).toEqual(['first', 'letters', 'second', 'letters']);
});
