import { describe, expect, it } from '@jest/globals';
import { WaitingGates } from './decision-watch.worker.js';

const LONG = 60_000;
const present = new AbortController().signal;

/** Waits on gates whose state the test sets. */
function setUp() {
  const open = new Set(['a', 'b']);
  const failures: string[] = [];
  const looks: string[][] = [];
  const look = (ids: string[]) => {
    looks.push(ids);
    return looks.length === 1 ? Promise.reject(new Error('away')) : Promise.resolve(open);
  };
  const gates = new WaitingGates(look, 1, {
    failed: (error) => void failures.push((error as Error).message),
    succeeded: () => void failures.push('over'),
  });
  return { open, failures, looks, gates };
}

describe('a wait for a gate', () => {
  it('ends for all that wait for the gate once it is closed, also after a look that failed', async () => {
    const { open, failures, looks, gates } = setUp();
    const waits = [gates.wait('a', LONG, present), gates.wait('a', LONG, present)];
    const other = gates.wait('b', LONG, present);
    open.delete('a');
    expect(await Promise.all(waits)).toEqual(['closed', 'closed']);
    expect(failures.slice(0, 2)).toEqual(['away', 'over']);
    expect(looks[0]).toEqual(['a', 'b']);
    gates.end();
    expect(await other).toBe('over');
  });

  it('ends when its caller is gone, and the others wait on', async () => {
    const { gates } = setUp();
    const caller = new AbortController();
    const [leaves, stays] = [gates.wait('a', LONG, caller.signal), gates.wait('a', LONG, present)];
    caller.abort();
    expect(await leaves).toBe('gone');
    expect(await gates.wait('a', LONG, caller.signal)).toBe('gone');
    gates.end();
    expect(await stays).toBe('over');
    expect(await gates.wait('a', LONG, present)).toBe('over');
  });

  it('ends when its time is over', async () => {
    const { gates } = setUp();
    expect(await gates.wait('a', 1, present)).toBe('over');
    gates.end();
  });
});
