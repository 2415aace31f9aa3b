import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceProcess } from '../../support/service-process.js';
import { until } from '../../support/until.js';
import { killed, owner } from './embedded-owners.js';
import { EmbeddedSubject, isRunning } from './embedded-subject.js';

const subject = EmbeddedSubject.forThisFile();

describe('the embedded database after kill -9 of the service', () => {
  it('is adopted with its sessions and data, and stopped by the new service', async () => {
    await killed(await owner(subject.dataDir, 'server'));
    const pid = await subject.serverPid();
    const postgres = await subject.start();
    expect(postgres.adopted).toBe(true);
    expect(await subject.serverPid()).toBe(pid);
    expect(await subject.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await postgres.stop();
    expect(await isRunning(pid)).toBe(false);
  });

  it('reports its end also when it was adopted', async () => {
    await killed(await owner(subject.dataDir, 'server'));
    const postgres = await subject.start();
    await subject.killServer();
    await until(() => subject.exits.length === 1);
    await postgres.restart();
    expect(postgres.adopted).toBe(false);
    expect(await subject.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is adopted when its folder was moved meanwhile', async () => {
    const elsewhere = `${subject.dataDir}-moved`;
    await killed(await owner(subject.dataDir, 'server'));
    await rename(subject.dataDir, elsewhere);
    try {
      const postgres = await subject.start(elsewhere);
      expect(postgres.adopted).toBe(true);
      await postgres.stop();
    } finally {
      await rename(elsewhere, subject.dataDir);
    }
  });

  it('starts again when both were killed', async () => {
    const service = await owner(subject.dataDir, 'server');
    process.kill(await subject.serverPid(), 'SIGKILL');
    await killed(service);
    const postgres = await subject.start();
    expect(postgres.adopted).toBe(false);
    expect(await subject.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const files = await readdir(join(subject.dataDir, 'postgres'));
    expect(files.filter((name) => /^\.s\.PGSQL\.\d+$/.test(name))).toHaveLength(1);
  });

  it('starts when another program has the pid that a dead server left', async () => {
    const other = spawn('sleep', ['600'], { cwd: join(subject.dataDir, 'postgres') });
    const file = join(subject.dataDir, 'postgres', 'postmaster.pid');
    await writeFile(
      file,
      `${other.pid}\n${subject.dataDir}/postgres\n1\n5432\n\n127.0.0.1\n  1 1\nready   \n`,
      {
        mode: 0o600,
      },
    );
    const postgres = await subject.start();
    expect(postgres.adopted).toBe(false);
    expect(other.kill('SIGKILL')).toBe(true);
  });

  it('starts when a power failure has emptied postmaster.pid', async () => {
    await writeFile(join(subject.dataDir, 'postgres', 'postmaster.pid'), '', { mode: 0o600 });
    await subject.start();
    expect(await subject.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('the embedded database of a start that a signal ends', () => {
  // What happens meanwhile shows in the log only afterwards, so that the server's own file says how far the start is.
  it.each(['1', '2'])('is stopped with it, with PROCESSES=%s', async (PROCESSES) => {
    const settings = { DATA_DIR: subject.dataDir, PROCESSES, BOOTSTRAP_OWNER_EMAIL: 'owner@example.com' };
    const service = new ServiceProcess(settings);
    const pid = await until(() => subject.serverPid().catch(() => null), 60);
    service.signal('SIGINT');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(await isRunning(pid)).toBe(false);
    expect(service.log).not.toContain('"level":"error"');
  });
});
