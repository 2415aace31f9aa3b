import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  refusing,
  serverThat,
  speakingHttp,
  versioned,
  withoutTls,
  withTls,
} from '../../../test/support/fake-postgres.js';
import type { Settings } from '../config/settings.js';
import { prepareDataFolder, UNFINISHED_RESTORE } from './data-folder-clock-and-descriptor-checks.js';
import { probeDatabase, probeDatabases } from './pooler-standby-and-version-checks.js';
import { forgetListening, probeAddress, recordListening, runningServices } from './listen-address.js';

const SECRET = 'the-password-of-it';
let folder = '';
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'awp-start-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const refusal = (text: RegExp, exitCode: number) =>
  expect.objectContaining({ message: expect.stringMatching(text), exitCode });

describe('probeDatabase', () => {
  const urlAt = (port: number) => `postgres://awp:${SECRET}@127.0.0.1:${port}/awp`;

  it.each([
    ['28P01', /rejects the password of user awp \(28P01\)\. Correct user and password in DATABASE_URL/],
    ['28000', /rejects user awp \(28000\)\. Correct the user in DATABASE_URL, or allow .* in pg_hba\.conf/],
    [
      '3D000',
      /has no database awp \(3D000\)\. Create it with `CREATE DATABASE "awp" OWNER "awp"`, or correct the name/,
    ],
    ['57P03', /does not accept the connection \(no slot for …, 57P03\)\. Wait until it does/],
  ])('describes the refusal %s without the password, and lets a supervisor try again', async (code, text) => {
    const { server, port } = await serverThat(refusing(code, `no slot for ${SECRET}`));
    await expect(probeDatabase(urlAt(port))).rejects.toEqual(refusal(text, 1));
    server.close();
  });

  it.each([
    [
      '53300',
      'too many connections for role "awp"',
      /allow more with `ALTER ROLE "awp" CONNECTION LIMIT -1`/,
    ],
    [
      '53300',
      'remaining connection slots are reserved for roles with the SUPERUSER attribute',
      /max_connections/,
    ],
    ['28000', 'role "awp" is not permitted to log in', /allow it with `ALTER ROLE "awp" LOGIN`/i],
    ['42501', 'permission denied for database "awp"', /`GRANT CONNECT ON DATABASE "awp" TO "awp"`/],
    [
      '55000',
      'database "awp" is not currently accepting connections',
      /`ALTER DATABASE "awp" ALLOW_CONNECTIONS true`/,
    ],
  ])('names the way out of the refusal %s, %s', async (code, said, text) => {
    const { server, port } = await serverThat(refusing(code, said));
    await expect(probeDatabase(urlAt(port))).rejects.toEqual(refusal(text, 1));
    server.close();
  });

  it('names the place of a port on which nothing listens', async () => {
    await expect(probeDatabase(urlAt(1))).rejects.toEqual(
      refusal(/^DATABASE_URL: no PostgreSQL responds at 127\.0\.0\.1:1 \(ECONNREFUSED\)\. Start that/, 1),
    );
  });

  it('names the setting of the address past a pooler', async () => {
    const settings = {
      databaseUrl: urlAt(2),
      databaseDirectUrl: urlAt(1),
      isDatabasePooled: true,
    } as Settings;
    await expect(probeDatabases(settings)).rejects.toEqual(
      refusal(
        /^DATABASE_DIRECT_URL: no PostgreSQL responds at 127\.0\.0\.1:1 .* or correct host and port in DATABASE_DIRECT_URL/,
        1,
      ),
    );
  });

  it('recognises a server that is not PostgreSQL', async () => {
    const { server, port } = await serverThat(speakingHttp);
    await expect(probeDatabase(urlAt(port))).rejects.toEqual(
      refusal(/is not PostgreSQL\. Set DATABASE_URL/, 78),
    );
    server.close();
  });

  it('refuses a PostgreSQL that is too old, and returns version and place of any other', async () => {
    const old = await serverThat(versioned(130_022, '13.22 (Debian)'));
    await expect(probeDatabase(urlAt(old.port))).rejects.toEqual(
      refusal(/is PostgreSQL 13\.22 \(Debian\)\. Use a PostgreSQL of version 15 to 18\.$/, 78),
    );
    old.server.close();
    const fit = await serverThat(versioned(170_004, '17.4 (Debian)'));
    expect(await probeDatabase(urlAt(fit.port))).toEqual({
      version: '17.4',
      place: `127.0.0.1:${fit.port}/awp`,
    });
    fit.server.close();
  });
});

describe('probeDatabase over TLS', () => {
  const [cert, key] = ['tls.crt', 'tls.key'];
  const at = (name: string) => join(folder, name);
  let port = 0;
  let server: Server;
  beforeAll(async () => {
    execFileSync(
      'openssl',
      [
        ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
        ...['-days', '1', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
        ...['-keyout', at(key), '-out', at(cert)],
      ],
      { stdio: 'ignore' },
    );
    const files = { cert: await readFile(at(cert)), key: await readFile(at(key)) };
    ({ server, port } = await serverThat(withTls(files, versioned(170_004, '17.4'))));
  });
  afterAll(() => void server?.close());
  const probe = (host: string, query: string) =>
    probeDatabase(`postgres://awp:${SECRET}@${host}:${port}/awp${query}`);

  it('trusts the certificate that sslrootcert names, and no-verify any', async () => {
    const expected = { version: '17.4', place: `localhost:${port}/awp` };
    expect(await probe('localhost', `?sslmode=verify-full&sslrootcert=${at(cert)}`)).toEqual(expected);
    expect(await probe('localhost', '?sslmode=no-verify')).toEqual(expected);
  });

  it.each([
    [
      'localhost',
      '?sslmode=verify-full',
      /does not know \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. Name .* sslrootcert in DATABASE_URL/,
    ],
    [
      '127.0.0.1',
      '?sslrootcert=CERT',
      /another host \(DNS:localhost\) \(ERR_TLS_CERT_ALTNAME_INVALID\)\. Write the host into DATABASE_URL/,
    ],
  ])('refuses at %s with %s, and names sslrootcert or the host', async (host, query, text) => {
    await expect(probe(host, query.replace('CERT', at(cert)))).rejects.toEqual(refusal(text, 1));
  });

  it('refuses a PostgreSQL without TLS where the URL asks for it', async () => {
    const plain = await serverThat(withoutTls);
    await expect(
      probeDatabase(`postgres://awp@127.0.0.1:${plain.port}/awp?sslmode=verify-full`),
    ).rejects.toEqual(
      refusal(/offers no TLS\. Turn on ssl in that PostgreSQL, or set sslmode=disable in DATABASE_URL/, 1),
    );
    plain.server.close();
  });
});

describe('prepareDataFolder', () => {
  const prepare = (dataDir: string, databaseUrl: string | null = null) =>
    prepareDataFolder({ dataDir, databaseUrl });

  it('creates a folder and those above it for the service alone', async () => {
    const path = join(folder, 'a', 'b');
    await prepare(path);
    await prepare(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('refuses a file, a path below one, and a file system without new folders', async () => {
    await writeFile(join(folder, 'file'), '');
    for (const path of [join(folder, 'file'), join(folder, 'file', 'x')])
      await expect(prepare(path)).rejects.toEqual(
        refusal(/is a file or lies below one \(ENOTDIR\)\. Set/, 78),
      );
    await expect(prepare('/proc/x/data')).rejects.toEqual(
      refusal(/allows no new folders \(ENOENT\)\. Set/, 78),
    );
  });

  it('refuses the beginning of a restore', async () => {
    const path = join(folder, 'unfinished');
    await mkdir(path);
    await writeFile(join(path, UNFINISHED_RESTORE), '');
    await expect(prepare(path)).rejects.toEqual(
      refusal(/a restore that did not finish\. Empty the folder/, 78),
    );
  });

  it('refuses a database that was copied one level too deep, unless DATABASE_URL names another', async () => {
    const path = join(folder, 'nested');
    await mkdir(join(path, 'data', 'postgres'), { recursive: true });
    await expect(prepare(path)).rejects.toEqual(
      refusal(/Move the contents of .*nested\/data one level up/, 78),
    );
    await prepare(path, 'postgres://db/awp');
    await mkdir(join(path, 'postgres'));
    await prepare(path);
  });
});

describe('probeAddress', () => {
  it('accepts a free port and leaves it free', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await expect(probeAddress({ host: '127.0.0.1', port })).rejects.toEqual(
      refusal(/another program listens/, 1),
    );
    taken.close();
    await once(taken, 'close');
    for (let time = 0; time < 2; time += 1) await probeAddress({ host: '127.0.0.1', port });
  });

  it('refuses an address of another host', async () => {
    await expect(probeAddress({ host: '192.0.2.1', port: 0 })).rejects.toEqual(
      refusal(/^HOST=192\.0\.2\.1 is not an address of this host \(EADDRNOTAVAIL\)\. Set HOST/, 78),
    );
  });
});

describe('the record of where a service listens', () => {
  it('names this process until it is removed, and no process that has ended', async () => {
    const path = join(folder, 'records');
    await mkdir(path);
    const ended = { pid: process.pid, start: 'another', host: '127.0.0.1', port: 1 };
    await writeFile(join(path, 'listening.999999.json'), JSON.stringify(ended));
    await writeFile(join(path, 'listening.999998.json'), '{');
    expect(await runningServices(path)).toEqual([]);
    await recordListening(path, '127.0.0.1', 4000);
    expect(await runningServices(path)).toMatchObject([{ pid: process.pid, port: 4000 }]);
    expect(await readdir(path)).toHaveLength(1);
    await forgetListening(path);
    expect(await runningServices(path)).toEqual([]);
  });

  it('is empty for a folder that does not exist', async () => {
    expect(await runningServices(join(folder, 'none'))).toEqual([]);
  });
});
