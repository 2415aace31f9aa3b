import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { makeApiKey } from '../authentication/key-format-and-authentication.service.js';
import { TrustedProxies } from '../http/https-rule-and-proxies.js';
import { requestLog } from './request-log.js';

/** Returns the line of one request that gets this status. @param proxies addresses that are trusted proxies */
async function lineOf(headers: Record<string, string>, status: number, proxies: string[] = []) {
  const logged = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
  const log = requestLog(new TrustedProxies(proxies));
  const server = createServer((request, response) =>
    log(request, response, () => response.writeHead(status).end()),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
  await once(server.close(), 'close');
  return logged.mock.calls.at(-1)![0] as Record<string, unknown>;
}

describe('the line of a request', () => {
  afterEach(() => void jest.restoreAllMocks());

  it("has the client's address: that of the connection, or the one that a trusted proxy names", async () => {
    const forwarded = { 'x-forwarded-for': '198.51.100.7' };
    expect(await lineOf(forwarded, 200)).toMatchObject({ client: '127.0.0.1' });
    expect(await lineOf(forwarded, 200, ['127.0.0.1'])).toMatchObject({ client: '198.51.100.7' });
  });

  it('has the prefix of a key that was rejected, and nothing of another text or of a key that was accepted', async () => {
    const key = makeApiKey('agent');
    const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
    expect(await lineOf(bearer(key), 401)).toMatchObject({ rejectedKey: key.slice(0, 12) });
    expect((await lineOf(bearer('correct-horse-battery-staple'), 401))['rejectedKey']).toBeUndefined();
    expect((await lineOf(bearer(key), 200))['rejectedKey']).toBeUndefined();
  });
});
