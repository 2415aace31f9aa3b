import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { isUnacceptableValue, isUnavailable } from './postgres-errors.js';

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

describe('each error that the driver itself makes', () => {
  /** Mistakes of the code that calls the driver: a 500, and never a reason to try again. */
  const MISTAKES =
    /^(A query must have|Binary mode|Both useLibpqCompat|Buffer|Called end|Client has already been connected|Client was passed|Passing a function|Query values|Release called|Password must|SASL: (Only mechanism|Mechanism|Last message|text must|Invalid attribute|attribute pairs)|circular reference|sslnegotiation|unexpected condition|callback is not|first argument|second argument|Prepared statements must|Invalid (\$|sslnegotiation)|\$)/;
  const files = ['pg/lib', 'pg-pool', 'pg-protocol/dist'].flatMap((driver) => {
    const path = join(import.meta.dirname, '../../../node_modules', driver);
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.js') && !/test/.test(name)).map((name) => join(path, name));
  });
  const messages = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/new (?:Type)?Error\(\s*['"`]([^'"`]+)/g)].map(
      ([, message]) => message!,
    ),
  );

  it('is known to be an outage or a mistake of the code', () => {
    expect(messages.length).toBeGreaterThan(40);
    const kinds = messages.map(
      (text) => [text, isUnavailable(new Error(text)), MISTAKES.test(text)] as const,
    );
    expect(kinds.filter(([, isOutage, isMistake]) => isOutage === isMistake)).toEqual([]);
  });
});

it.each([
  ['28P01', 'the password was changed'],
  ['3D000', 'the database is being restored under its name'],
  ['40003', 'the end of a transaction is unknown'],
  ['53300', 'too many connections'],
  ['57P01', 'an administrator ended the connection'],
  ['CERT_HAS_EXPIRED', 'its certificate expired'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate names another host'],
])('%s is an unavailable database: %s', (code) => {
  expect(isUnavailable(Object.assign(new Error('x'), { code }))).toBe(true);
});

it.each(['42P01', '23514', '42501', 'XX000', 'ERR_INVALID_ARG_TYPE', 'ENOSPC'])(
  '%s is an error of the service and not an unavailable database',
  (code) => {
    const error = Object.assign(new Error('x'), { code });
    expect([isUnavailable(error), isUnacceptableValue(error)]).toEqual([false, false]);
  },
);

it.each(['22001', '22021', '22P05', '54000'])('%s is a value that fits no column', (code) => {
  expect(isUnacceptableValue(Object.assign(new Error('x'), { code }))).toBe(true);
});
