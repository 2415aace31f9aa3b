import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { alive, type Descendant, descendantsOf } from '../../support/descendants.js';
import { Service, startService, useService } from '../../support/service.js';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { partsOf } from './divided-start.js';

/** What a process has of a part, in the order of its start. */
const processesOf = (service: { pid: number }, name: string): Descendant[] =>
  partsOf(service.pid)
    .filter((part) => part.name === name)
    .map(({ process }) => process);

/** Resolves with the old and the new process of a part that is being replaced. */
async function pairOf(service: Service, name: string): Promise<[old: Descendant, successor: Descendant]> {
  // One that was replaced before may still finish what it has.
  await until(() => processesOf(service, name).length === 1, 120);
  const [old] = processesOf(service, name);
  service.reload();
  return until(() => {
    const all = processesOf(service, name);
    return all.length === 2 ? [old!, all.find(({ pid }) => pid !== old!.pid)!] : null;
  }, 120);
}

function connected(service: Service): Socket {
  const { hostname, port } = new URL(service.address);
  // A reset is an end too.
  return connect(Number(port), hostname).on('error', () => undefined);
}

/** Resolves with what is answered up to the end of the connection; empty where it ends without an answer. */
async function answerOf(socket: Socket, path = '/livez'): Promise<string> {
  let answer = '';
  socket.on('data', (part) => (answer += String(part)));
  socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

/** How many files the process may have open from now on. */
function limitFiles(pid: number, most: number): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]);
  if (status !== 0) throw new Error(String(stderr));
}

describe('a divided start that meets trouble', () => {
  let service: Service;
  const catalog = new LocalCatalog();
  beforeAll(async () => {
    service = await startService({
      ownProcess: true,
      settings: { PROCESSES: '2', CATALOG_DIRS: catalog.folder },
    });
  });
  afterAll(async () => {
    await service?.remove();
    catalog.remove();
  });

  const whole = () =>
    until(async () => {
      const { body } = await service.owner.get<{ processes: { state: string }[] }>('/api/info');
      return body.processes.length === 3 && body.processes.every(({ state }) => state === 'ready');
    }, 60);

  /** Resolves when the process that was started last uses the database. */
  async function hasBegun(): Promise<void> {
    const [row] = await service.sql<{ now: string }>('SELECT now()::text AS now');
    const NEW = `SELECT pid FROM pg_stat_activity WHERE application_name = 'agent-work-platform'
      AND datname = current_database() AND backend_start > $1::timestamptz`;
    await until(async () => (await service.sql(NEW, [row!.now])).length > 0);
  }

  it('has an entry of the catalogue in every process once it was read again', async () => {
    const entries = () =>
      Promise.all(
        Array.from({ length: 8 }, async () => (await service.owner.get('/api/mcp/catalog/later')).status),
      );
    expect(new Set(await entries())).toEqual(new Set([404]));
    catalog.stdio('later', ['all-features.mjs']);
    await service.owner.post('/api/mcp/catalog/reload');
    expect(new Set(await entries())).toEqual(new Set([200]));
  });

  it('goes on while it can open no file, and starts a process that died once it can', async () => {
    // Its standard streams, which stay open.
    limitFiles(service.pid, 3);
    for (const name of ['host', 'api-2']) {
      process.kill(processesOf(service, name)[0]!.pid, 'SIGKILL');
      await until(() => service.log.includes(`${name} (process 0) could not be started`));
    }
    limitFiles(service.pid, 1024);
    await until(() => partsOf(service.pid).length === 3, 60);
    await whole();
  });

  it('goes on with a process that had no file handle for connections', async () => {
    const [one] = processesOf(service, 'api-1');
    limitFiles(one!.pid, 3);
    const answers = await Promise.all(Array.from({ length: 8 }, () => answerOf(connected(service))));
    // The other process answers; what this one cannot take is closed.
    expect(answers.filter((answer) => answer.includes('"ok"')).length).toBeGreaterThan(0);
    expect(answers).toContain('');
    limitFiles(one!.pid, 1024);
    const answered = () => service.log.split('"process":"api-1","context":"Request"').length;
    const before = answered();
    await until(async () => {
      await answerOf(connected(service), '/api/projects');
      return answered() > before;
    }, 20);
  });

  it.each(['api-2', 'host'])(
    'has one process for %s when the old one dies while it is replaced',
    async (name) => {
      const [old, successor] = await pairOf(service, name);
      const replacements = service.log.split('SIGHUP: every process was replaced.').length;
      process.kill(old.pid, 'SIGKILL');
      await until(() => service.log.split('SIGHUP: every process was replaced.').length > replacements, 120);
      expect(processesOf(service, name).map(({ pid }) => pid)).toEqual([successor.pid]);
      await whole();
    },
  );

  it('ends at SIGTERM with the process that was about to take a part over', async () => {
    const pair = await pairOf(service, 'host');
    await hasBegun();
    const all = descendantsOf(service.pid);
    expect(all.map(({ pid }) => pid)).toEqual(expect.arrayContaining(pair.map(({ pid }) => pid)));
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(alive(all)).toEqual([]);
  });

  it('kills at SIGTERM what does not end', async () => {
    await service.start();
    const all = descendantsOf(service.pid);
    for (const name of ['api-1', 'host']) process.kill(processesOf(service, name)[0]!.pid, 'SIGSTOP');
    expect(await service.endBy('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(alive(all)).toEqual([]);
  });

  it('leaves no process behind that had just begun when the supervisor was killed', async () => {
    await service.start();
    await pairOf(service, 'host');
    await hasBegun();
    const all = descendantsOf(service.pid).filter(({ command }) => !command.includes('postgres'));
    process.kill(service.pid, 'SIGKILL');
    await until(() => alive(all).length === 0);
  });
});

describe('a divided start with as many connections as it may have', () => {
  const service = useService({ ownProcess: true, settings: { PROCESSES: '2', CONNECTIONS_MAX: '16' } });

  it('closes further ones unread', async () => {
    const sockets = Array.from({ length: 40 }, () => connected(service));
    const ends = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    let closed = 0;
    for (const end of ends) void end.then(() => (closed += 1));
    // Each of the two serves eight, and answers one more with 503.
    await until(() => closed >= 40 - 18, 20);
    for (const socket of sockets) socket.destroy();
    await until(async () => (await answerOf(connected(service))).includes('"ok"'), 20);
  });
});

describe('settings of a divided start that have changed', () => {
  const ROOT = join(import.meta.dirname, '../../..');
  const folder = mkdtempSync(join(tmpdir(), 'awp-build-'));
  const [first, second] = [new Service(), new Service()];
  let running: ServiceProcess | null = null;
  const key = `owner-${'k'.repeat(32)}`;

  /** Writes `.env` of the build. */
  function set(settings: Record<string, string>): void {
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    writeFileSync(join(folder, '.env'), lines.join('\n'));
  }

  beforeAll(async () => {
    // A build has its own `.env` beside it.
    for (const part of ['dist', 'package.json'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await Promise.all([first.furnish(), second.furnish()]);
  });
  afterAll(async () => {
    await running?.end();
    await Promise.all([first.remove(), second.remove()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('are those of its processes after SIGHUP: the database, and the limit of requests', async () => {
    set({ DATABASE_URL: first.databaseUrl, RATE_LIMIT_PER_MINUTE: '5' });
    running = new ServiceProcess(
      { PROCESSES: '2', DATA_DIR: join(folder, 'data'), BOOTSTRAP_OWNER_API_KEY: key },
      { main: join(folder, 'dist/src/main.js') },
    );
    const address = await running.ready();
    const statuses = async (): Promise<number[]> => {
      const answers = Array.from({ length: 8 }, () =>
        fetch(`${address}/api/projects`, {
          headers: { Authorization: `Bearer ${key}`, Connection: 'close' },
        }),
      );
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect((await statuses()).filter((status) => status === 200)).toHaveLength(5);
    set({ DATABASE_URL: second.databaseUrl, RATE_LIMIT_PER_MINUTE: '1000' });
    running.signal('SIGHUP');
    await until(() => running!.log.includes('SIGHUP: every process was replaced.'), 120);
    expect(await statuses()).toEqual(Array.from({ length: 8 }, () => 200));
    const [row] = await second.sql<{ count: string }>('SELECT count(*) FROM users');
    expect(Number(row!.count)).toBe(1);
  });
});
