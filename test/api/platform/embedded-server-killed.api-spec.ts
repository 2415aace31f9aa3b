import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { until } from '../../support/until.js';
import { EmbeddedSubject, isRunning } from './embedded-subject.js';

const subject = EmbeddedSubject.forThisFile();

describe('the embedded database after kill -9 of the server', () => {
  it('reports its end, and restarts at the same address with all committed data', async () => {
    const postgres = await subject.start();
    const { url } = postgres;
    await subject.query('CREATE TABLE committed AS SELECT 1 AS one');
    await subject.killServer();
    await until(() => subject.exits.length === 1);
    await postgres.restart();
    expect(postgres.url).toBe(url);
    expect(await subject.query('SELECT one FROM committed')).toEqual([{ one: 1 }]);
  });

  it('restarts at a new address when another program has taken the old one', async () => {
    const postgres = await subject.start(subject.dataDir, { fsync: 'off', listen_addresses: '127.0.0.1' });
    const { url } = postgres;
    await subject.killServer();
    const thief = await listenOn(Number(new URL(url).port));
    await postgres.restart();
    thief.close();
    expect(postgres.url).not.toBe(url);
    expect(await subject.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('restarts once for concurrent requests, and not at all while it runs', async () => {
    const postgres = await subject.start();
    await subject.killServer();
    await Promise.all([postgres.restart(), postgres.restart()]);
    const pid = await subject.serverPid();
    await postgres.restart();
    expect(await subject.serverPid()).toBe(pid);
  });

  it('waits for the children of the dead server, which may still write', async () => {
    const postgres = await subject.start();
    await subject.freezeChild();
    await subject.killServer();
    const restarting = postgres.restart();
    await subject.refusalLogged();
    process.kill(subject.frozen, 'SIGCONT');
    await restarting;
    expect(await subject.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('can be stopped while it waits for its restart', async () => {
    const postgres = await subject.start();
    await subject.freezeChild();
    await subject.killServer();
    const restarting = expect(postgres.restart()).rejects.toThrow('did not start');
    await subject.refusalLogged();
    await postgres.stop();
    await restarting;
  });

  it('does not come back after stop', async () => {
    const postgres = await subject.start();
    const pid = await subject.serverPid();
    await postgres.stop();
    expect(await isRunning(pid)).toBe(false);
    await expect(postgres.restart()).rejects.toThrow('stopped for good');
    expect(subject.exits).toEqual([]);
  });
});

async function listenOn(port: number): Promise<Server> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
