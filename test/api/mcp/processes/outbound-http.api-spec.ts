import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OutboundHttp, type OutboundSettings } from '../../../../src/platform/http/outbound-http.js';
import { listen, type Remote } from '../../../support/mcp-servers/remote.js';

const opened: OutboundHttp[] = [];
let remote: Remote;
let other: Remote;

const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/hello': (_request, response) => response.end('hello'),
  '/big': (_request, response) => response.end('x'.repeat(5_000)),
  '/many-events': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let n = 0; n < 20; n += 1) response.write(`data: ${'x'.repeat(500)}\n\n`);
    response.end();
  },
  '/big-event': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${'x'.repeat(5_000)}\n\n`);
  },
  '/endless-events': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = setInterval(() => response.write('data: x\n\n'), 10);
    response.on('close', () => clearInterval(events));
  },
  '/never': () => undefined,
  '/drip': (_request, response) => {
    const drip = setInterval(() => response.write('x'), 10);
    response.on('close', () => clearInterval(drip));
  },
  '/loop': (_request, response) => response.writeHead(302, { location: '/loop' }).end(),
  '/here': (_request, response) => response.writeHead(302, { location: '/hello' }).end(),
  '/inside': (_request, response) => response.writeHead(302, { location: 'http://127.0.0.2:8081/' }).end(),
  '/elsewhere': (_request, response) =>
    response.writeHead(307, { location: `http://${other.host}/hello` }).end(),
  '/loses-body': (_request, response) => response.writeHead(302, { location: '/hello' }).end(),
};

beforeAll(async () => {
  const serve = (request: IncomingMessage, response: ServerResponse): void =>
    pages[request.url ?? '']?.(request, response);
  remote = await listen(serve);
  other = await listen(serve);
});
afterAll(async () => {
  await Promise.all(opened.map((http) => http.close()));
  await remote.close();
  await other.close();
});

function outbound(settings: Partial<OutboundSettings> = {}): OutboundHttp {
  const http = new OutboundHttp({
    allowedHosts: [remote.host, other.host],
    maxBytes: 4 * 1024 * 1024,
    ...settings,
  });
  opened.push(http);
  return http;
}
const at = (path: string): string => `http://${remote.host}${path}`;

describe('outbound HTTP', () => {
  it('reaches a host and port on loopback that the operator allowed', async () => {
    expect(await (await outbound().fetch(at('/hello'))).text()).toBe('hello');
  });

  it('refuses every spelling of an address that is not public', async () => {
    const { port } = remote;
    const http = outbound({ allowedHosts: [] });
    const hosts = [
      '127.0.0.1',
      'localhost',
      '127.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '0',
      '0.0.0.0',
      '[::1]',
      '[::]',
    ];
    const wider = [
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '１２７.0.0.1',
      '169.254.169.254',
      '168.63.129.16',
      '10.0.0.1',
    ];
    for (const host of [...hosts, ...wider]) {
      await expect(http.fetch(`http://${host}:${port}/hello`)).rejects.toMatchObject({
        kind: 'refused_address',
      });
    }
  });

  it('checks every address that a name resolves to', async () => {
    const mixed = outbound({ allowedHosts: [], resolve: async () => ['93.184.216.34', '127.0.0.1'] });
    await expect(mixed.fetch(`http://rebound.example:${remote.port}/hello`)).rejects.toMatchObject({
      kind: 'refused_address',
    });
  });

  it('connects to the address that was checked, even when DNS returns another one the second time', async () => {
    let asked = 0;
    const resolve = async (): Promise<string[]> => [(asked += 1) === 1 ? '127.0.0.1' : '10.255.255.1'];
    const http = outbound({ allowedHosts: [`named.example:${remote.port}`], resolve });
    expect(await (await http.fetch(`http://named.example:${remote.port}/hello`)).text()).toBe('hello');
    expect(asked).toBe(1);
  });

  it('accepts an allowed host only on its port', async () => {
    const http = outbound({ allowedHosts: [`127.0.0.1:${other.port}`] });
    await expect(http.fetch(at('/hello'))).rejects.toMatchObject({ kind: 'refused_address' });
  });

  it('accepts only http and https', async () => {
    await expect(outbound().fetch('file:///etc/passwd')).rejects.toMatchObject({ kind: 'refused_address' });
  });

  it('follows a redirect, but not to an inner address, not endlessly, and not when it would lose a body', async () => {
    expect(await (await outbound().fetch(at('/here'))).text()).toBe('hello');
    await expect(outbound().fetch(at('/inside'))).rejects.toMatchObject({ kind: 'refused_address' });
    await expect(outbound().fetch(at('/loop'))).rejects.toMatchObject({ kind: 'bad_redirect' });
    await expect(outbound().fetch(at('/loses-body'), { method: 'POST', body: '{}' })).rejects.toMatchObject({
      kind: 'bad_redirect',
    });
    await expect(outbound({ maxRedirects: 0 }).fetch(at('/here'))).rejects.toMatchObject({
      kind: 'bad_redirect',
    });
  });

  it('drops credentials in any header when a redirect leads to another origin', async () => {
    const headers = { authorization: 'Bearer x', 'x-api-key': 'y', 'content-type': 'application/json' };
    await (await outbound().fetch(at('/elsewhere'), { method: 'POST', body: '{}', headers })).text();
    expect(remote.requests.at(-1)?.headers).toMatchObject(headers);
    const arrived = other.requests.at(-1)?.headers;
    expect(arrived).toMatchObject({ 'content-type': 'application/json' });
    expect(arrived).not.toHaveProperty('authorization');
    expect(arrived).not.toHaveProperty('x-api-key');
  });

  it('aborts a body over the limit, and counts each event of a stream separately', async () => {
    const http = outbound({ maxBytes: 2_000, readsEventStreams: true });
    await expect(http.fetch(at('/big')).then((response) => response.text())).rejects.toMatchObject({
      kind: 'too_large',
    });
    await expect(http.fetch(at('/big-event')).then((response) => response.text())).rejects.toMatchObject({
      kind: 'too_large',
    });
    expect((await (await http.fetch(at('/many-events'))).text()).length).toBeGreaterThan(10_000);
  });

  it.each([
    ['of many events is aborted over the limit', '/many-events', { maxBytes: 2_000 }, 'too_large'],
    ['without end is aborted in time', '/endless-events', { timeoutMs: 200 }, 'timed_out'],
  ])('an event stream %s, where the caller reads bodies as a whole', async (_, path, limits, kind) => {
    const body = outbound(limits)
      .fetch(at(path))
      .then((response) => response.text());
    await expect(body).rejects.toMatchObject({ kind });
  });

  it('fails when a response does not begin or does not end in time', async () => {
    const http = outbound({ timeoutMs: 200 });
    await expect(http.fetch(at('/never'))).rejects.toMatchObject({ kind: 'timed_out' });
    await expect(http.fetch(at('/drip')).then((response) => response.text())).rejects.toMatchObject({
      kind: 'timed_out',
    });
  });
});
