import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { takeFolder } from '../src/processes/guard.js';
import { startTimeOf } from '../src/processes/process-table.js';

const dist = join(import.meta.dirname, '../dist/processes');
const root = mkdtempSync(join(tmpdir(), 'awp-orphans-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A runner whose agent ignores SIGTERM and the end of its input, and has a child of its own. */
const PROGRAM = `
  import { Child } from '${dist}/child.js';
  import { newMark, takeFolder } from '${dist}/guard.js';
  await takeFolder('${root}', 'bot');
  const command = ['sh', '-c', 'trap "" TERM; sleep 600 & echo $!; wait'];
  const child = new Child({ command, cwd: '/', env: { PATH: process.env.PATH }, mark: newMark() });
  child.stdout.pipe(process.stdout);`;

async function aRunner() {
  const runner = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(runner.stdout, 'data')) as [Buffer];
  return { runner, sleeper: Number(String(line)) };
}

function watcherOf(runner: number): number {
  const isWatcher = (pid: string) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('watcher.js') &&
    readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${runner}\n`);
  return Number(
    readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && startTimeOf(Number(pid)) && isWatcher(pid)),
  );
}

async function mustEnd(pid: number): Promise<void> {
  for (let round = 0; round < 600 && startTimeOf(pid) !== null; round += 1) await sleep(50);
  expect(startTimeOf(pid)).toBeNull();
}

describe('what a runner that was killed leaves behind', () => {
  it('is ended by its watcher', async () => {
    const { runner, sleeper } = await aRunner();
    expect(startTimeOf(sleeper)).not.toBeNull();
    runner.kill('SIGKILL');
    await mustEnd(sleeper);
  });

  it('is ended by the next start where the watcher was killed too', async () => {
    const { runner, sleeper } = await aRunner();
    process.kill(watcherOf(runner.pid!), 'SIGKILL');
    const ended = once(runner, 'exit');
    runner.kill('SIGKILL');
    await ended;
    await sleep(300);
    expect(startTimeOf(sleeper)).not.toBeNull();
    await takeFolder(root, 'bot');
    await mustEnd(sleeper);
  });
});
