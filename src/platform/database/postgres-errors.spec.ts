import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { isUnavailable } from './postgres-errors.js';

const folder = mkdtempSync(join(tmpdir(), 'awp-sockets-'));
beforeAll(() => writeFileSync(join(folder, '.s.PGSQL.1'), 'a file that is no socket'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Connects with the real driver and returns its error. */
async function errorOf(config: pg.ClientConfig): Promise<unknown> {
  const client = new pg.Client({ user: 'x', database: 'x', connectionTimeoutMillis: 200, ...config });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return null;
  } catch (error) {
    return error;
  }
}

describe('an error of the driver counts as an unavailable database', () => {
  it.each([
    ['the socket is missing, as while the database is restarted', { host: folder, port: 2 }],
    ['the socket is a file', { host: folder, port: 1 }],
    ['the folder of the socket is missing', { host: join(folder, 'none'), port: 1 }],
    ['the path of the socket is too long', { host: `/tmp/${'x'.repeat(200)}`, port: 1 }],
    ['nothing listens on the port', { host: '127.0.0.1', port: 1 }],
    ['the host has no address', { host: 'nowhere.invalid', port: 5432 }],
  ])('when %s', async (_, config) => {
    expect(isUnavailable(await errorOf(config))).toBe(true);
  });

  it.each([
    ['does not respond', () => undefined],
    ['ends every connection', (socket: { destroy: () => void }) => socket.destroy()],
  ])('when the server %s', async (_, onConnection) => {
    const sockets = new Set<{ destroy: () => void }>();
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      sockets.add(socket);
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(join(folder, '.s.PGSQL.3'), resolve));
    expect(isUnavailable(await errorOf({ host: folder, port: 3 }))).toBe(true);
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });
});

it('An error of a file is not an unavailable database.', async () => {
  const error: unknown = await readFile(join(folder, 'none')).catch((cause: unknown) => cause);
  expect(isUnavailable(error)).toBe(false);
  expect(isUnavailable(new Error('something else'))).toBe(false);
});
