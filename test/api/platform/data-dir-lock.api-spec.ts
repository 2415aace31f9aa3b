import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, open, readdir, readFile, readlink, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockDataDir } from '../../../src/platform/embedded-postgres/data-dir-lock-and-process-identity.js';
import { until } from '../../support/until.js';
import { endOwners, killed, owner, ownerProgram } from './embedded-owners.js';

describe('the lock of the data folder', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'awp-lock-'));
  });
  afterEach(async () => {
    await endOwners();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('rejects a second process, naming the folder and the first process', async () => {
    const first = await owner(dataDir, 'lock');
    await expect(lockDataDir(dataDir)).rejects.toThrow(
      `${dataDir} is in use by process ${first.process.pid}`,
    );
  });

  it('rejects the same process a second time', async () => {
    await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toThrow(`process ${process.pid}`);
  });

  it('is free again after release', async () => {
    const first = await lockDataDir(dataDir);
    await first.release();
    await expect(owner(dataDir, 'lock')).resolves.toMatchObject({ answer: { locked: true } });
  });

  it('is free again after kill -9 of its owner', async () => {
    await killed(await owner(dataDir, 'lock'));
    await expect(lockDataDir(dataDir)).resolves.toBeDefined();
  });

  it('is free after kill -9 of an owner that stays a zombie', async () => {
    const script = '"$0" "$@" & exec sleep 600';
    const parent = spawn('sh', ['-c', script, process.execPath, ownerProgram, dataDir, 'lock']);
    const pid = await until(() => ownerOf(dataDir));
    process.kill(pid, 'SIGKILL');
    await until(async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z '));
    await expect(lockDataDir(dataDir)).resolves.toBeDefined();
    parent.kill('SIGKILL');
  });

  it('is free when a later program has the pid of its dead owner', async () => {
    await writeFile(
      join(dataDir, 'service.lock.7'),
      JSON.stringify({ pid: process.pid, start: 'another boot/1' }),
    );
    await expect(lockDataDir(dataDir)).resolves.toBeDefined();
  });

  it('is free when a power failure has emptied its file', async () => {
    await writeFile(join(dataDir, 'service.lock.1'), '');
    await expect(lockDataDir(dataDir)).resolves.toBeDefined();
  });

  it('goes to exactly one of many that start at once after a crash', async () => {
    await killed(await owner(dataDir, 'lock'));
    const starters = await Promise.all(Array.from({ length: 8 }, () => owner(dataDir, 'lock')));
    expect(starters.filter((starter) => starter.answer.locked)).toHaveLength(1);
    expect(
      starters.filter((starter) => starter.answer.refused?.includes('is in use by process')),
    ).toHaveLength(7);
  });

  it('never has two holders, however takers, crashes and releases interleave', async () => {
    let holders = 0;
    let turns = 0;
    const taker = async (crashes: boolean) => {
      for (let tries = 0; tries < 5_000 && turns < 150; tries += 1) {
        const lock = await lockDataDir(dataDir).catch(onlyHeld);
        if (!lock) continue;
        holders += 1;
        expect(holders).toBe(1);
        await setImmediate();
        holders -= 1;
        turns += 1;
        await (crashes ? crash(dataDir) : lock.release());
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, index) => taker(index % 2 === 0)));
    expect(turns).toBeGreaterThanOrEqual(150);
  });

  it('rejects a starter so slow that its number was used and removed meanwhile', async () => {
    const pipe = join(dataDir, 'service.lock.1');
    spawnSync('mkfifo', [pipe]);
    const writer = await open(pipe, 'r+');
    const slow = lockDataDir(dataDir);
    let winner = 0;
    try {
      await until(async () => (await openFilesAt(pipe)) === 2);
      await writeFile(join(dataDir, 'service.lock.2'), deadOwner);
      winner = (await owner(dataDir, 'lock')).process.pid ?? 0;
      await writer.write(deadOwner);
    } finally {
      await writer.close();
    }
    await expect(slow).rejects.toThrow(`process ${winner}`);
  });

  it('leaves one file behind, however often its owners die', async () => {
    for (let round = 0; round < 3; round += 1) await killed(await owner(dataDir, 'lock'));
    await (await lockDataDir(dataDir)).release();
    expect(await readdir(dataDir)).toEqual(['service.lock.4']);
  });
});

const deadOwner = JSON.stringify({ pid: process.pid, start: 'another boot/1' });

function onlyHeld(error: Error): null {
  expect(error.message).toContain('is in use by process');
  return null;
}

/** Leaves what kill -9 leaves: the newest file, whose owner no longer runs. */
async function crash(folder: string): Promise<void> {
  await writeFile(join(folder, 'dead'), deadOwner);
  await rename(join(folder, 'dead'), join(folder, await newestFile(folder)));
}

async function ownerOf(folder: string): Promise<number> {
  const text = await readFile(join(folder, await newestFile(folder)), 'utf8').catch(() => 'null');
  return (JSON.parse(text) as { pid: number } | null)?.pid ?? 0;
}

async function newestFile(folder: string): Promise<string> {
  const numbers = (await readdir(folder)).flatMap((name) => /^service\.lock\.(\d+)$/.exec(name)?.[1] ?? []);
  return `service.lock.${Math.max(...numbers.map(Number))}`;
}

async function openFilesAt(path: string): Promise<number> {
  const files = await readdir('/proc/self/fd');
  const targets = await Promise.all(files.map((file) => readlink(`/proc/self/fd/${file}`).catch(() => '')));
  return targets.filter((target) => target === path).length;
}
