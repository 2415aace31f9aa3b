import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from '../../support/backup-commands.js';
import { commandNamed, runAlone } from '../../support/commands.js';
import { printedBlock } from '../../support/shell-blocks.js';
import { OidcProvider } from '../../support/oidc/provider.js';
import { S3Server } from '../../support/s3-server.js';
import { ServiceProcess } from '../../support/service-process.js';
import { useService } from '../../support/service.js';
import { PATH } from './doctor/examination.js';

const DOCTOR = commandNamed('doctor');
const service = useService();
const store = new S3Server();
const provider = new OidcProvider();
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-doctor-'));
  await store.start();
  await provider.start();
  await provider.register(service.baseUrl, {});
});
afterAll(async () => {
  await store.remove();
  await provider.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `npm run doctor` with only these settings. */
const doctor = (settings: Record<string, string>) => run(DOCTOR, [], { PATH, PORT: '0', ...settings });

/** Returns the verdict on one check and its fix, in one line. */
const verdictOn = (said: string, name: string) =>
  new RegExp(`^(\\w+ +)${name} .*(\n +->.*)?`, 'm').exec(said)?.[0].replace(/\s+/g, ' ');

/** The names of the checks in their order, and the verdict on all of them. */
const checksOf = (said: string) =>
  [...said.matchAll(/^(?:ok|note|ERROR) +(\w+(?: \w+)?) {2}|^No errors\.$/gm)].map(
    ([line, name]) => name ?? line,
  );

async function certificate(name: string, days: number) {
  const [cert, key, request] = ['crt', 'key', 'csr'].map((kind) => join(folder, `${name}.${kind}`)) as [
    string,
    string,
    string,
  ];
  const openssl = (...args: string[]) => promisify(execFile)('openssl', args);
  const options = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=x', '-keyout', key, '-out', request];
  await openssl('req', '-new', ...options);
  await openssl('x509', '-req', '-days', String(days), '-in', request, '-signkey', key, '-out', cert);
  return { TLS_CERT_FILE: cert, TLS_KEY_FILE: key };
}

describe('npm run doctor', () => {
  it('finds no error when a service runs well, and recognises it by its port', async () => {
    const settings = { DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir };
    const port = new URL(service.baseUrl).port;
    const around = { ...store.settings, ...provider.settings, PUBLIC_URL: service.baseUrl };
    const { code, said } = await doctor({ ...settings, PORT: port, ...around });
    expect(said).not.toContain('ERROR');
    expect(code).toBe(0);
    expect(checksOf(said)).toEqual(checksOf(printedBlock('docs/operations.md', 'doctor')));
    expect(verdictOn(said, 'database')).toMatch(/^ok .*PostgreSQL 1\d.*, migrated$/);
    expect(verdictOn(said, 'key ring')).toMatch(/^ok .*seals with 'k1'$/);
    expect(verdictOn(said, 'attachments')).toMatch(/^ok /);
    expect(verdictOn(said, 'address')).toMatch(/^ok .*the service listens/);
    expect(verdictOn(said, 'public URL')).toMatch(/^ok .* leads to this service$/);
    expect(verdictOn(said, 'sign in')).toMatch(/^ok .*with the accounts of http:/);
    expect(verdictOn(said, 'chores')).toMatch(/^ok .*, and each succeeds$/);
    expect(verdictOn(said, 'webhooks')).toMatch(/^ok .*none$/);
    expect(await store.objects()).toEqual([]);
  });

  it('writes each verdict as one line in the form of the log with --json', async () => {
    const settings = { DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir, ...store.settings };
    const people = await doctor(settings);
    const another = { PATH, PORT: '0', ...settings, S3_BUCKET: 'another' };
    const { code, stdout } = await runAlone(DOCTOR, ['--json'], another);
    expect(code).toBe(1);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    const verdicts = lines.filter(({ context }) => context === 'Doctor');
    expect(verdicts.map(({ check }) => check)).toEqual(checksOf(people.said).slice(0, -1));
    for (const { level, time } of lines) {
      expect(['info', 'warn', 'error']).toContain(level);
      expect(Date.parse(time!)).not.toBeNaN();
    }
    expect(lines.find(({ check }) => check === 'attachments')).toMatchObject({
      level: 'error',
      msg: expect.stringContaining('NoSuchBucket'),
      fix: expect.stringMatching(/^create the bucket/),
    });
  });

  it('finds no error before the first start, and creates nothing', async () => {
    const fresh = join(folder, 'fresh');
    const { code, said } = await doctor({ DATA_DIR: fresh });
    expect(said).not.toContain('ERROR');
    expect(code).toBe(0);
    expect(existsSync(fresh)).toBe(false);
  });

  it('recognises a clock that is wrong', async () => {
    const { code, said } = await doctor({
      DATABASE_URL: service.databaseUrl,
      DATA_DIR: service.dataDir,
      NODE_OPTIONS: `--import=${resolve(import.meta.dirname, '../../support/shifted-clock.mjs')}`,
    });
    expect(code).toBe(1);
    expect(verdictOn(said, 'clock')).toMatch(
      /^ERROR .* apart from the clock of the database -> synchronise the clocks/,
    );
  });

  it('names every invalid setting', async () => {
    const { code, said } = await doctor({ LEASE_SECONDS: 'soon', TLS_CERT_FILE: '/x' });
    expect(code).toBe(1);
    for (const name of ['LEASE_SECONDS', 'TLS_KEY_FILE']) expect(said).toContain(name);
  });

  it('names each of several errors with its fix, and no secret', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await mkdir(join(folder, 'entries'));
    await writeFile(join(folder, 'entries', 'bad.json'), '{"id": 1}');
    await writeFile(join(folder, 'file'), '');
    const { code, said } = await doctor({
      DATABASE_URL: 'postgres://awp:the-password-of-it@127.0.0.1:1/awp',
      DATA_DIR: join(folder, 'file'),
      PORT: String((taken.address() as AddressInfo).port),
      CATALOG_DIRS: join(folder, 'entries'),
      ...(await certificate('old', -1)),
      ...store.settings,
      S3_ACCESS_KEY_ID: 'nobody',
      S3_SECRET_ACCESS_KEY: 'the-secret-of-the-store',
    });
    taken.close();
    expect(code).toBe(1);
    expect(verdictOn(said, 'data folder')).toMatch(
      /^ERROR .*is a file or lies below one \(ENOTDIR\) -> set DATA_DIR/,
    );
    expect(verdictOn(said, 'database')).toMatch(/^ERROR .*ECONNREFUSED.* -> start that PostgreSQL/);
    for (const name of ['packages', 'clock', 'API keys'])
      expect(verdictOn(said, name)).toMatch(
        /^note .* not checked, because the database is not there -> fix the database first$/,
      );
    expect(verdictOn(said, 'catalogue')).toMatch(/^ERROR/);
    expect(said).toContain('bad.json');
    expect(verdictOn(said, 'attachments')).toMatch(/^ERROR .*InvalidAccessKeyId.* -> set S3_ACCESS_KEY_ID/);
    expect(verdictOn(said, 'TLS')).toMatch(/^ERROR .*certificate expired on .* -> renew/);
    expect(verdictOn(said, 'address')).toMatch(/^ERROR .*EADDRINUSE.* -> stop that program/);
    for (const secret of ['the-password-of-it', 'the-secret-of-the-store'])
      expect(said).not.toContain(secret);
  });

  it('says how to open an embedded database that others can enter, and that works when it is followed', async () => {
    const home = await mkdtemp(join(tmpdir(), 'awp-doctor-embedded-'));
    const embedded = new ServiceProcess({ DATA_DIR: home });
    await embedded.ready();
    await embedded.end();
    await chmod(join(home, 'postgres'), 0o755);
    const { code, said } = await doctor({ DATA_DIR: home });
    expect(code).toBe(1);
    const [, fix] = /^ERROR .*has mode 0755.* -> run (chmod 700 \S+)$/.exec(verdictOn(said, 'database')!)!;
    expect(said).toContain('1 error(s).');
    await promisify(execFile)('sh', ['-c', fix!]);
    expect(await doctor({ DATA_DIR: home })).toMatchObject({
      code: 0,
      said: expect.stringContaining('No errors.'),
    });
    await rm(home, { recursive: true });
  });

  it('recognises a key ring that other users can read, and a missing bucket', async () => {
    const ring = join(folder, 'keyring.json');
    const key = Buffer.alloc(32, 7).toString('base64');
    await writeFile(ring, JSON.stringify({ version: 1, primary: 'k9', keys: [{ id: 'k9', key }] }));
    await chmod(ring, 0o644);
    const [one, other] = [await certificate('one', 90), await certificate('other', 90)];
    const settings = { DATABASE_URL: service.databaseUrl, DATA_DIR: folder, ...store.settings };
    const { code, said } = await doctor({
      ...settings,
      ENCRYPTION_KEYRING_FILE: ring,
      S3_BUCKET: 'another',
      TLS_CERT_FILE: one.TLS_CERT_FILE,
      TLS_KEY_FILE: other.TLS_KEY_FILE,
    });
    expect(code).toBe(1);
    expect(verdictOn(said, 'key ring')).toMatch(
      /^ERROR .* has mode 0644 -> run chmod 600 on it, so that no other user can read its keys$/,
    );
    expect(verdictOn(said, 'attachments')).toMatch(/^ERROR .*NoSuchBucket.* -> create the bucket/);
    expect(verdictOn(said, 'TLS')).toMatch(/^ERROR .*not the key of TLS_CERT_FILE/);

    await chmod(ring, 0o600);
    const again = await doctor({ ...settings, ENCRYPTION_KEYRING_FILE: ring });
    expect(verdictOn(again.said, 'key ring')).toMatch(/^ERROR .*'k1'.* -> /);
    expect(said + again.said).not.toContain(key);
  });
});
