import { expect, it } from '@jest/globals';
import { TakingTurns } from './taking-turns.js';

it('work under one key goes one after the other, also after a failure; other keys do not wait', async () => {
  const turns = new TakingTurns();
  const seen: string[] = [];
  let open: () => void = () => undefined;
  const first = turns.run('a', async () => {
    await new Promise<void>((resolve) => (open = resolve));
    seen.push('first');
    throw new Error('failed');
  });
  const second = turns.run('a', async () => seen.push('second'));
  await turns.run('b', async () => seen.push('other'));
  open();
  await expect(first).rejects.toThrow('failed');
  await second;
  expect(seen).toEqual(['other', 'first', 'second']);
});
