import { expect, it } from '@jest/globals';
import { KeyedQueue } from './queues-semaphores-and-context-slots.js';

it('runs tasks of one key one after the other, also after a failure, and those of other keys at once', async () => {
  const queue = new KeyedQueue();
  const seen: string[] = [];
  let open: () => void = () => undefined;
  const first = queue.run('a', async () => {
    await new Promise<void>((resolve) => (open = resolve));
    seen.push('first');
    throw new Error('failed');
  });
  const second = queue.run('a', async () => seen.push('second'));
  await queue.run('b', async () => seen.push('other'));
  open();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(seen).toEqual(['other', 'first', 'second']);
});
