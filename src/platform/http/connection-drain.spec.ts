import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { drainConnections, InFlight, outlastConnections } from './in-flight-connections-and-slow-readers.js';

/** The end of the response to `GET /later`. */
let later: (() => void) | null = null;
let server: Server;
let inFlight: InFlight;
let proxy: Agent;
let port: number;
beforeEach(async () => {
  inFlight = new InFlight();
  server = createServer((request, response) =>
    inFlight.track(request, response, () => {
      if (request.url === '/') return void response.end('done');
      response.writeHead(200);
      response.flushHeaders();
      later = () => response.end();
    }),
  );
  proxy = new Agent({ keepAlive: true });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  proxy.destroy();
  server.closeAllConnections();
});

async function ask(agent: Agent | false = proxy): Promise<IncomingMessage> {
  const [response] = (await once(get({ host: '127.0.0.1', port, agent }), 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

/** Waits until so many requests are in flight. */
async function inFlightIs(count: number): Promise<void> {
  while (inFlight.count !== count) await turn();
}

describe('connections of a proxy that are drained', () => {
  it('serve one more request each, while new ones are refused', async () => {
    expect((await ask()).headers.connection).toBe('keep-alive');
    const drained = drainConnections(server, inFlight, 60_000);
    const last = await ask();
    expect([last.statusCode, last.headers.connection]).toEqual([200, 'close']);
    await drained;
    await expect(ask(false)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('delay the end no longer than given when they stay idle, and serve until then', async () => {
    await ask();
    await drainConnections(server, inFlight, 10);
    expect((await ask()).headers.connection).toBe('close');
  });

  it('are waited for no longer than there are any', async () => {
    await drainConnections(server, inFlight, 60_000);
    expect(server.listening).toBe(false);
  });
});

describe('connections of a process that was replaced', () => {
  const uncut = new AbortController().signal;

  it('are kept until the server ends idle ones by itself', async () => {
    server.keepAliveTimeout = 100;
    const idle = connect(port, '127.0.0.1');
    idle.write('GET / HTTP/1.1\r\nHost: service\r\n\r\n');
    await once(idle, 'data');
    const ended = once(idle, 'end');
    await outlastConnections(server, inFlight, 60_000, uncut);
    await ended;
  });

  it('serve one more request where the present response had begun', async () => {
    const [first] = (await once(
      get({ host: '127.0.0.1', port, agent: proxy, path: '/later' }),
      'response',
    )) as [IncomingMessage];
    // As the end of the process does.
    const gone = outlastConnections(server, inFlight, 60_000, uncut).then(() => server.closeAllConnections());
    // The first look at the connections is past when the response ends.
    await turn();
    first.resume();
    later!();
    await once(first, 'end');
    await inFlightIs(0);
    expect((await ask()).headers.connection).toBe('close');
    await gone;
  });

  it('are waited for no longer once the wait is cut', async () => {
    await ask();
    const cut = new AbortController();
    const gone = outlastConnections(server, inFlight, 60_000, cut.signal);
    cut.abort();
    await gone;
    expect((await ask()).headers.connection).toBe('close');
  });
});
