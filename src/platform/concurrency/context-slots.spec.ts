import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { ContextSlot } from './queues-semaphores-and-context-slots.js';

const first = new ContextSlot<string>();
const second = new ContextSlot<string>();
const both = () => [first.get(), second.get()];

test('a value is that of the work and of all that it awaits, also beside other work', async () => {
  const work = (value: string) =>
    first.run(value, async () => {
      await pause(1);
      return first.get();
    });
  expect(await Promise.all([work('a'), work('b')])).toEqual(['a', 'b']);
  expect(first.get()).toBeUndefined();
});

test('slots do not touch one another, whichever is set first', () => {
  expect(first.run('a', () => second.run('b', both))).toEqual(['a', 'b']);
  expect(second.run('b', () => first.run('a', both))).toEqual(['a', 'b']);
  expect(first.run('a', () => second.run('b', () => first.run('c', both)))).toEqual(['c', 'b']);
});

test('work outside of one slot keeps the others, and what it starts keeps that', async () => {
  const found = first.run('a', () =>
    second.run('b', () =>
      first.exit(async () => {
        await pause(1);
        return both();
      }),
    ),
  );
  expect(await found).toEqual([undefined, 'b']);
  expect(first.exit(both)).toEqual([undefined, undefined]);
});
