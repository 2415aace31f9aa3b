import { describe, expect, it, vi } from 'vitest';
import { makeKeyed } from './client';
import { offlineProblem, Problem } from './problem';

describe('a form that is sent again', () => {
  /** The keys of two requests, of which the first one is refused. */
  const keysAfter = async (problem: Problem, contents = ['same', 'same']) => {
    const keyed = makeKeyed();
    const send = vi.fn((_key: string) => Promise.reject(problem));
    for (const content of contents) await expect(keyed(content, send)).rejects.toBe(problem);
    return send.mock.calls.map(([key]) => key);
  };

  it.each([404, 409, 412])('has a new key after a refusal that the service keeps: %d', async (status) => {
    const [first, second] = await keysAfter(new Problem(status, 'invalid_transition', 'It is closed.'));
    expect(second).not.toBe(first);
  });

  it.each([
    ['no answer came', offlineProblem()],
    ['the first request still runs', new Problem(409, 'idempotency_key_in_use', 'It still runs.')],
    ['the service failed', new Problem(503, 'unavailable', 'The database does not respond.')],
  ])('has the same key where %s', async (_why, problem) => {
    const [first, second] = await keysAfter(problem);
    expect(second).toBe(first);
  });

  it('has a new key for another content', async () => {
    const [first, second] = await keysAfter(offlineProblem(), ['one', 'two']);
    expect(second).not.toBe(first);
  });
});
