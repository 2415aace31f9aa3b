import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../src/platform/database/embedded/embedded-postgres.js';
import { makeLibraryLinks } from '../../../src/platform/database/embedded/postgres-library-links.js';
import { readPostmasterPid } from '../../../src/platform/database/embedded/postmaster-pid.js';
import { until } from '../../support/until.js';
import { endOwners, killed, owner, startingOwner } from './embedded-owners.js';

let dataDir: string;
let postgres: EmbeddedPostgres | undefined;
let exits: string[];
/** Pid of a stopped child of a server, 0 when there is none. */
let frozen = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'awp-embedded-'));
});
afterEach(async () => {
  await thaw();
  await postgres?.stop();
  postgres = undefined;
  await endOwners();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

describe('the embedded database', () => {
  it('is a PostgreSQL 18 in UTF-8 whose data survives stop and start', async () => {
    postgres = await started();
    await query('CREATE TABLE kept (word text)');
    await query("INSERT INTO kept VALUES ('Ägäis')");
    await postgres.stop();
    postgres = await started();
    expect(await query('SELECT lower(word) AS word FROM kept')).toEqual([{ word: 'ägäis' }]);
    expect(await query("SELECT current_setting('server_version') AS version")).toEqual([
      { version: expect.stringMatching(/^18\./) },
    ]);
  });

  it('keeps what it has promised through a power failure, unless told otherwise', async () => {
    postgres = await startEmbeddedPostgres({ ...reports(), dataDir });
    expect(await query(durability)).toEqual([{ fsync: 'on', commit: 'on', pages: 'on' }]);
    await postgres.stop();
    postgres = await started();
    expect(await query(durability)).toEqual([{ fsync: 'off', commit: 'on', pages: 'on' }]);
  });

  it('listens on 127.0.0.1 alone and lets nobody in without the password', async () => {
    postgres = await started();
    expect(await query("SELECT current_setting('listen_addresses') AS addresses")).toEqual([
      { addresses: '127.0.0.1' },
    ]);
    const url = new URL(postgres.url);
    url.password = 'guessed';
    await expect(query('SELECT 1', url.href)).rejects.toThrow('password authentication failed');
  });

  it('gives the service a role that is no superuser', async () => {
    postgres = await started();
    expect(await query('SELECT rolsuper FROM pg_roles WHERE rolname = current_user')).toEqual([
      { rolsuper: false },
    ]);
  });

  it('keeps the password in a file for its owner alone, and out of command lines', async () => {
    postgres = await started();
    const file = join(dataDir, 'postgres-credentials.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { password } = JSON.parse(await readFile(file, 'utf8')) as { password: string };
    expect(postgres.url).toContain(password);
    expect(await readFile(`/proc/${await serverPid()}/cmdline`, 'utf8')).not.toContain(password);
  });

  it('runs in a session of its own, which Ctrl-C in the terminal does not reach', async () => {
    postgres = await started();
    const pid = await serverPid();
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ');
    expect(Number(fields?.[3])).toBe(pid);
  });

  it('keeps failed statements, which can hold secrets, out of its log', async () => {
    postgres = await started();
    await expect(query("SELECT 'a-secret'::integer")).rejects.toThrow('invalid input syntax');
    expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('a-secret');
  });
});

describe('the embedded database after kill -9 of the server', () => {
  it('tells of its death, and restarts at the same address with all that was committed', async () => {
    postgres = await started();
    const { url } = postgres;
    await query('CREATE TABLE committed AS SELECT 1 AS one');
    await killServer();
    await until(() => exits.length === 1);
    await postgres.restart();
    expect(postgres.url).toBe(url);
    expect(await query('SELECT one FROM committed')).toEqual([{ one: 1 }]);
  });

  it('restarts at a new address when another program has taken the old one', async () => {
    postgres = await started();
    const { url } = postgres;
    await killServer();
    const thief = await listenOn(Number(new URL(url).port));
    await postgres.restart();
    thief.close();
    expect(postgres.url).not.toBe(url);
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('restarts once for all who ask at once, and not at all while it runs', async () => {
    postgres = await started();
    await killServer();
    await Promise.all([postgres.restart(), postgres.restart()]);
    const pid = await serverPid();
    await postgres.restart();
    expect(await serverPid()).toBe(pid);
  });

  it('waits for the children of the dead server, which may still write', async () => {
    postgres = await started();
    await freezeChild();
    await killServer();
    const restarting = postgres.restart();
    await refusalLogged();
    process.kill(frozen, 'SIGCONT');
    await restarting;
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is stopped also while it waits to start again', async () => {
    postgres = await started();
    await freezeChild();
    await killServer();
    const restarting = expect(postgres.restart()).rejects.toThrow('did not start');
    await refusalLogged();
    await postgres.stop();
    await restarting;
  });

  it('does not come back after stop', async () => {
    postgres = await started();
    const pid = await serverPid();
    await postgres.stop();
    expect(await isRunning(pid)).toBe(false);
    await expect(postgres.restart()).rejects.toThrow('stopped for good');
    expect(exits).toEqual([]);
  });
});

describe('the embedded database after kill -9 of the service', () => {
  it('is adopted with the sessions and data that it has, and stopped by the new service', async () => {
    await killed(await owner(dataDir, 'server'));
    const pid = await serverPid();
    postgres = await started();
    expect(postgres.adopted).toBe(true);
    expect(await serverPid()).toBe(pid);
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.stop();
    expect(await isRunning(pid)).toBe(false);
  });

  it('tells of its death when it was adopted, too', async () => {
    await killed(await owner(dataDir, 'server'));
    postgres = await started();
    await killServer();
    await until(() => exits.length === 1);
    await postgres.restart();
    expect(postgres.adopted).toBe(false);
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is adopted when its folder has been moved meanwhile', async () => {
    const elsewhere = `${dataDir}-moved`;
    await killed(await owner(dataDir, 'server'));
    await rename(dataDir, elsewhere);
    try {
      postgres = await started(elsewhere);
      expect(postgres.adopted).toBe(true);
      await postgres.stop();
    } finally {
      await rename(elsewhere, dataDir);
    }
  });

  it('starts anew when both were killed', async () => {
    const service = await owner(dataDir, 'server');
    process.kill(await serverPid(), 'SIGKILL');
    await killed(service);
    postgres = await started();
    expect(postgres.adopted).toBe(false);
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts although another program runs under the pid that a dead server has left', async () => {
    const other = spawn('sleep', ['600'], { cwd: join(dataDir, 'postgres') });
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(file, `${other.pid}\n${dataDir}/postgres\n1\n5432\n\n127.0.0.1\n  1 1\nready   \n`, {
      mode: 0o600,
    });
    postgres = await started();
    expect(postgres.adopted).toBe(false);
    expect(other.kill('SIGKILL')).toBe(true);
  });

  it('starts although a power failure has emptied postmaster.pid', async () => {
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '', { mode: 0o600 });
    postgres = await started();
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('the data folder of the embedded database', () => {
  let other: string;

  beforeAll(async () => {
    other = await mkdtemp(join(tmpdir(), 'awp-embedded-'));
  });
  afterAll(() => rm(other, { recursive: true, force: true }));

  it('is made anew when the service that made it was killed half-way', async () => {
    const service = startingOwner(other, 'server');
    await until(async () => (await readdir(other)).some((name) => name.startsWith('postgres.new-')));
    await killed(service);
    postgres = await started(other);
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect((await readdir(other)).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
  });

  it('is refused when another major version has made it, saying what to do', async () => {
    const file = join(other, 'postgres', 'PG_VERSION');
    const version = await readFile(file, 'utf8');
    await writeFile(file, '17\n');
    await expect(started(other)).rejects.toThrow('made by PostgreSQL 17, this release brings 18: dump it');
    await writeFile(file, version);
  });

  it('is refused without its credentials, saying what to do', async () => {
    const file = join(other, 'postgres-credentials.json');
    await rename(file, `${file}.away`);
    await expect(started(other)).rejects.toThrow('put the file back from a backup');
    await rename(`${file}.away`, file);
  });

  it('is refused with credentials that are not its own, and no server stays behind', async () => {
    const file = join(other, 'postgres-credentials.json');
    const credentials = await readFile(file, 'utf8');
    await writeFile(file, JSON.stringify({ password: 'wrong', superuserPassword: 'wrong' }));
    await expect(started(other)).rejects.toThrow('does not let the service in');
    await writeFile(file, credentials);
    expect(await readPostmasterPid(join(other, 'postgres'))).toBeNull();
  });
});

it('the links that npm does not pack are made once, by however many starters', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'awp-links-'));
  await mkdir(join(folder, 'native', 'lib'), { recursive: true });
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }];
  await writeFile(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  await Promise.all(Array.from({ length: 5 }, () => makeLibraryLinks(folder)));
  expect(await readlink(join(folder, 'native', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  expect(await readdir(join(folder, 'native', 'lib'))).toEqual(['libpq.so.5']);
  await rm(folder, { recursive: true });
});

const durability =
  "SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, current_setting('full_page_writes') AS pages";

function started(folder = dataDir): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ ...reports(), dataDir: folder, settings: { fsync: 'off' } });
}

function reports() {
  const seen: string[] = (exits = []);
  return { log: () => undefined, onExit: (reason: string) => void seen.push(reason) };
}

async function query(sql: string, url = postgres?.url): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(sql)).rows as unknown[];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function serverPid(folder = dataDir): Promise<number> {
  return (await readPostmasterPid(join(folder, 'postgres')))?.pid ?? 0;
}

async function killServer(): Promise<void> {
  const pid = await serverPid();
  process.kill(pid, 'SIGKILL');
  await until(async () => !(await isRunning(pid)));
}

/** A session's process stops in its tracks, and so survives its server for a while. */
async function freezeChild(): Promise<void> {
  const client = new Client({ connectionString: postgres?.url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  frozen = rows[0]?.pid ?? 0;
  process.kill(frozen, 'SIGSTOP');
  await rm(join(dataDir, 'postgres.log'));
}

async function thaw(): Promise<void> {
  if (frozen && (await isRunning(frozen))) process.kill(frozen, 'SIGKILL');
  await until(async () => !(await isRunning(frozen)));
  frozen = 0;
}

/** A new server has met the child of the dead one. */
function refusalLogged(): Promise<boolean> {
  const log = join(dataDir, 'postgres.log');
  return until(async () => (await readFile(log, 'utf8').catch(() => '')).includes('is still in use'));
}

async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return !status.includes(') Z');
}

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect((server.address() as AddressInfo).port).toBe(port);
  return server;
}
