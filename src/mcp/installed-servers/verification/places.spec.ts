import { expect, it } from '@jest/globals';
import { Places } from './places.js';

const never = new AbortController().signal;

it('so many run at once, and everyone gets a turn, also after failures', async () => {
  const places = new Places(2);
  let [running, most] = [0, 0];
  const work = async (fails: boolean) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (fails) throw new Error('failed');
  };
  const all = Array.from({ length: 9 }, (_, at) => places.run(() => work(at % 2 === 0), never));
  const ended = await Promise.allSettled(all);
  expect(ended.filter(({ status }) => status === 'rejected')).toHaveLength(5);
  expect([most, running]).toEqual([2, 0]);
});

it('who gives up leaves the line, and takes no place', async () => {
  const places = new Places(1);
  let open: () => void = () => undefined;
  const first = places.run(() => new Promise<void>((resolve) => (open = resolve)), never);
  const given = new AbortController();
  const second = places.run(async () => 'never', given.signal);
  const third = places.run(async () => 'third', never);
  given.abort(new Error('given up'));
  await expect(second).rejects.toThrow('given up');
  open();
  await first;
  expect(await third).toBe('third');
  expect(await places.run(async () => 'free', never)).toBe('free');
});
