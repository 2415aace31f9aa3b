import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { alive, descendantsOf } from '../../support/descendants.js';
import { startService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { DividedStart } from './divided-start.js';

/** How many of these connections the service has accepted, whichever of its processes has them. */
function acceptedOf(sockets: readonly Socket[]): number {
  const ports = new Set(
    sockets.map(({ localPort }) => localPort!.toString(16).toUpperCase().padStart(4, '0')),
  );
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  // One that waits to be accepted has no inode yet.
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , remote, , , , , , , inode]) => ports.has(remote?.split(':')[1] ?? '') && inode !== '0')
    .length;
}

/** Resolves with what a connection is answered up to its end; empty where it ends without an answer. */
async function answerOf(socket: Socket): Promise<string> {
  let answer = '';
  socket.on('data', (part) => (answer += String(part)));
  // A reset is an end too.
  socket.on('error', () => undefined);
  socket.write('GET /livez HTTP/1.0\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

describe('a start that is divided among processes', () => {
  let start: DividedStart;
  beforeAll(async () => {
    start = await DividedStart.begin(2);
  });
  afterAll(() => start?.end());

  it('has two processes for requests behind one address, and one for servers', async () => {
    const { service } = start;
    expect((await start.processes()).map(({ name, kind, state }) => `${name} ${kind} ${state}`)).toEqual([
      'api-1 api ready',
      'api-2 api ready',
      'host host ready',
    ]);
    await until(async () => {
      await Promise.all(Array.from({ length: 12 }, () => service.owner.get('/api/projects')));
      return ['api-1', 'api-2'].every((name) =>
        new RegExp(`"process":"${name}","context":"Request"[^\\n]*"route":"/api/projects"`).test(service.log),
      );
    });
  });

  it('shows the metrics of all of them at once', async () => {
    const { text } = await start.service.owner.get('/metrics');
    for (const name of ['api-1', 'api-2', 'host'])
      expect(text).toMatch(new RegExp(`^awp_process_start_time_seconds\\{process="${name}"\\} \\d+`, 'm'));
    expect(text).toMatch(/^awp_process_ready\{process="host",kind="host"\} 1$/m);
    expect(text.match(/^# TYPE awp_http_request_duration_seconds /gm)).toHaveLength(1);
  });

  it('uses no more connections than one process does', async () => {
    const [row] = await start.service.sql<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'agent-work-platform' AND datname = current_database()`,
    );
    expect(Number(row!.count)).toBeLessThanOrEqual(12 + 4 + 3 * 2);
  });

  it('goes on when one of its processes is killed: the others answer, no call is made twice, and it is started again', async () => {
    const server = await start.server('shared');
    for (const name of ['api-1', 'host']) await start.kill(name, server);
    expect((await start.processes()).map(({ restarts }) => restarts)).toEqual([1, 0, 1]);
  }, 600_000);

  it('ends the connections that a process was handed and did not take before it died', async () => {
    const { service } = start;
    const [dies, goesOn] = ['api-1', 'api-2'].map((name) => start.pids.get(name)!.pid) as [number, number];
    for (const pid of [dies, goesOn]) process.kill(pid, 'SIGSTOP');
    // Each process is handed one, and the third waits in the supervisor.
    const sockets = [1, 2, 3].map(() => connect(Number(new URL(service.address).port), '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const answers = sockets.map(answerOf);
    await until(() => acceptedOf(sockets) === sockets.length);
    process.kill(dies, 'SIGKILL');
    process.kill(goesOn, 'SIGCONT');
    const beginnings = (await Promise.all(answers)).map((answer) => answer.slice(0, 12));
    expect(beginnings.toSorted()).toEqual(['', 'HTTP/1.1 200', 'HTTP/1.1 200']);
    await until(() => ![undefined, dies].includes(start.pids.get('api-1')?.pid), 60);
    await start.whole();
  });

  it('is replaced process by process at SIGHUP, without a failed request, a cut call, or a gap in the events', async () => {
    await start.replaceAll(await start.server('own'));
  }, 600_000);

  it('lets a call finish at the tools host that was replaced, however long it may take', async () => {
    const server = await start.server('shared');
    expect(await start.replaceAllDuring(server, 'a long call', 45_000)).toBe('a long call');
  }, 300_000);

  it('leaves no process behind when it is killed, not even one that was replaced and still has connections', async () => {
    const { service } = start;
    const all = descendantsOf(service.pid).filter(({ command }) => !command.includes('postgres'));
    expect(all.length).toBeGreaterThanOrEqual(3);
    await service.kill();
    await until(() => alive(all).length === 0);
  });

  it('counts the requests of a key for a rate limit once, whichever process they reach', async () => {
    const { service } = start;
    await service.start({ RATE_LIMIT_PER_MINUTE: '120' });
    const person = service.owner.unchecked();
    const answers = await Promise.all(
      Array.from({ length: 240 }, async () => (await person.get('/api/projects?limit=1')).status),
    );
    expect(answers.filter((status) => status === 200).length).toBeLessThanOrEqual(120);
    expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(120);
  });

  it('ends with all of its processes', async () => {
    const all = descendantsOf(start.service.pid);
    expect(await start.service.stop()).toEqual({ code: 0, signal: null });
    expect(alive(all)).toEqual([]);
  });
});

describe('a divided start that cannot succeed', () => {
  it('ends with the reason of the process that failed, and leaves none behind', async () => {
    const failed = startService({
      ownProcess: true,
      settings: { PROCESSES: '2', OUTBOUND_ALLOWED_HOSTS: '', CATALOG_DIRS: '/nonexistent/catalogue' },
    });
    await expect(failed).rejects.toThrow(/"code":78[^]*CATALOG_DIRS/);
  });
});
