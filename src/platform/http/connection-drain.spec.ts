import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { drainConnections, InFlight } from './in-flight.js';

let server: Server;
let inFlight: InFlight;
let proxy: Agent;
let port: number;
beforeEach(async () => {
  inFlight = new InFlight();
  server = createServer((request, response) =>
    inFlight.track(request, response, () => void response.end('done')),
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

  it('are waited for until the server ends idle ones by itself', async () => {
    server.keepAliveTimeout = 100;
    const idle = connect(port, '127.0.0.1');
    idle.write('GET / HTTP/1.1\r\nHost: service\r\n\r\n');
    await once(idle, 'data');
    const ended = once(idle, 'end');
    await drainConnections(server, inFlight, 60_000);
    await ended;
  });

  it('are waited for no longer once the wait is cut', async () => {
    await ask();
    const cut = new AbortController();
    const drained = drainConnections(server, inFlight, 60_000, cut.signal);
    cut.abort();
    await drained;
    expect((await ask()).headers.connection).toBe('close');
  });

  it('are waited for no longer than there are any', async () => {
    await drainConnections(server, inFlight, 60_000);
    expect(server.listening).toBe(false);
  });
});
