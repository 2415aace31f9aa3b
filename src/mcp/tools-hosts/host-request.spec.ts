import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { type Answers, HostLost, HostMoved, HostRequest, ServedRequest } from './host-request.js';

type Handler = (served: ServedRequest, args: unknown) => Promise<unknown>;

class Refused extends Error {}

let server: Server;
let handle: Handler;
beforeEach(async () => {
  server = createServer((incoming, response) => {
    const rule = { refusalOf: (error: unknown) => (error instanceof Refused ? { why: 'over' } : null) };
    const served = new ServedRequest(incoming, response, rule);
    served.run((_, args) => handle(served, args));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function ask(
  args: unknown,
  answers: Answers = {},
  signal?: AbortSignal,
  agent: Agent | false = false,
): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: '127.0.0.1', method: 'POST', agent });
  // The endpoint of the service is reached over TLS.
  sent.once('socket', (socket) => socket.once('connect', () => socket.emit('secureConnect')));
  return new HostRequest(sent, answers).run({ operation: 'call', args, origin: null }, signal);
}

describe('a request to a tools host', () => {
  it('returns the result, with every character of it', async () => {
    const value = { text: 'a\n\u2028\u0000é😀', deep: [{ n: 1 }] };
    handle = async (_, args) => ({ args });
    expect(await ask(value)).toEqual({ args: value });
  });

  it('returns a result of many megabytes', async () => {
    const text = 'x'.repeat(8 * 2 ** 20);
    handle = async () => ({ text });
    expect(await ask(null)).toEqual({ text });
  });

  it('is asked and notified while it runs', async () => {
    const notes: unknown[] = [];
    handle = async (served) => {
      served.note('progress', 1);
      return [await served.ask('question', 'first'), await served.ask('question', 'second')];
    };
    const answers = {
      ask: async (what: string, value: unknown) => `${what}: ${String(value)}`,
      note: (_: string, value: unknown) => void notes.push(value),
    };
    expect(await ask(null, answers)).toEqual(['question: first', 'question: second']);
    expect(notes).toEqual([1]);
  });

  it('leaves its connection to the next one', async () => {
    const agent = new Agent({ keepAlive: true });
    let connections = 0;
    server.on('connection', () => (connections += 1));
    handle = async () => 'done';
    for (let n = 0; n < 5; n += 1) {
      expect(await ask(null, {}, undefined, agent)).toBe('done');
      await until(() => Object.values(agent.freeSockets).flat().length === 1);
    }
    expect(connections).toBe(1);
    agent.destroy();
  });

  it('is cancelled at the host when its signal fires', async () => {
    const abort = new AbortController();
    let isCancelled = false;
    handle = (served) =>
      new Promise((resolve) => {
        served.signal.addEventListener('abort', () => resolve((isCancelled = true)));
        abort.abort();
      });
    await expect(ask(null, {}, abort.signal)).rejects.toBeInstanceOf(HostLost);
    await until(() => isCancelled);
  });

  it('is lost with its host, and may have been begun', async () => {
    handle = () => {
      server.closeAllConnections();
      return new Promise(() => undefined);
    };
    await expect(ask(null)).rejects.toMatchObject({ isUnsent: false });
  });

  it('has certainly not been begun where no host listens, and where the host drains', async () => {
    handle = async () => {
      throw new HostMoved();
    };
    await expect(ask(null)).rejects.toMatchObject({ isUnsent: true });
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const sent = request({ port, host: '127.0.0.1', method: 'POST', agent: false });
    const lost = new HostRequest(sent, {}).run({ operation: 'call', args: null, origin: null });
    await expect(lost).rejects.toMatchObject({ isUnsent: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  it('is refused with the error that the rule of beginnings makes', async () => {
    handle = async () => {
      throw new Refused();
    };
    const refused = (refusal: unknown) => new Error(JSON.stringify(refusal));
    await expect(ask(null, { refused })).rejects.toThrow('{"why":"over"}');
  });
});
