import { describe, expect, it } from '@jest/globals';
import { callDeadline } from './deadlines.js';
import { OpenRequests } from './server-questions-and-resource-streams.js';

const never = new Promise<never>(() => undefined);
const asks = (caller: string) => ({ caller, onQuestion: () => Promise.resolve({ from: caller }) });

describe('a question of a server', () => {
  it('belongs to the only request that runs', async () => {
    const open = new OpenRequests();
    void open.run(asks('a'), () => never);
    expect(await open.answer({})).toEqual({ from: 'a' });
  });

  it('is refused while no request runs, or several do, also of one caller', async () => {
    const open = new OpenRequests();
    await expect(open.answer({})).rejects.toThrow('No request');
    void open.run(asks('a'), () => never);
    void open.run(asks('a'), () => never);
    await expect(open.answer({})).rejects.toThrow('2 requests');
  });

  it('is refused where the request answers none', async () => {
    const open = new OpenRequests();
    void open.run({ caller: 'a' }, () => never);
    await expect(open.answer({})).rejects.toThrow('answers no questions');
  });

  it('is refused after a request of another caller was cancelled, which the server may still work on', async () => {
    const open = new OpenRequests();
    await cancelled(open, 'a');
    void open.run(asks('b'), () => never);
    await expect(open.answer({})).rejects.toThrow('another caller');
  });

  it('is passed on after a request of the same caller was cancelled', async () => {
    const open = new OpenRequests();
    await cancelled(open, 'a');
    void open.run(asks('a'), () => never);
    expect(await open.answer({})).toEqual({ from: 'a' });
  });

  it('ends with its request', async () => {
    const open = new OpenRequests();
    let over: AbortSignal | undefined;
    let end = (): void => undefined;
    const onQuestion = (_: object, signal: AbortSignal) => ((over = signal), never);
    const running = open.run({ onQuestion }, () => new Promise<void>((resolve) => (end = resolve)));
    void open.answer({});
    expect(over!.aborted).toBe(false);
    end();
    await running;
    expect(over!.aborted).toBe(true);
  });

  async function cancelled(open: OpenRequests, caller: string): Promise<void> {
    const cancel = new AbortController();
    const run = open.run({ caller }, (onDeadline) => {
      onDeadline(callDeadline(60_000, 60_000, cancel.signal));
      cancel.abort();
      return Promise.reject(new Error('cancelled'));
    });
    await expect(run).rejects.toThrow('cancelled');
  }
});
