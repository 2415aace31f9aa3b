import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import type { Response } from 'express';
import { ConnectionLimit } from './in-flight-connections-and-slow-readers.js';
import { ServiceAdapter } from './http-server.js';

it('writes no answer for a client that has left', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const requested = once(server, 'request');
  const client = get({ port: (server.address() as AddressInfo).port });
  client.on('error', () => undefined);
  const [, response] = (await requested) as [unknown, ServerResponse];
  client.destroy();
  await once(response, 'close');
  let written = 0;
  const body = { toJSON: () => (written += 1) };
  new ServiceAdapter(new ConnectionLimit(16)).reply(response as Response, body);
  expect(written).toBe(0);
  server.close();
});
