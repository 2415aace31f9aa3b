import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../config/config-file.js';
import { killMarked, startTimeOf } from './process-table.js';

const runner = randomUUID();
let isWatched = false;

/** Returns the mark of one run of this runner. A watcher process kills what bears it when this runner dies. */
export function newMark(): string {
  if (!isWatched) startWatcher();
  isWatched = true;
  return `${runner}/${randomUUID()}`;
}

/**
 * Takes an agent's folder for this runner, and kills what an earlier runner left behind.
 * @throws {ConfigError} when another runner works for the agent there
 */
export async function takeFolder(root: string, agent: string): Promise<void> {
  if (process.platform !== 'linux')
    throw new ConfigError('The runner needs Linux: it finds processes in /proc.');
  const file = join(root, agent, '.runner');
  mkdirSync(join(root, agent, '.runs'), { recursive: true, mode: 0o700 });
  const [pid = '', startTime, before] = existsSync(file) ? readFileSync(file, 'utf8').split(' ') : [];
  const problem = `The runner with process id ${pid} already works for ${agent} in ${root}. Stop it.`;
  if (startTime !== undefined && startTimeOf(Number(pid)) === startTime) throw new ConfigError(problem);
  if (before) await killMarked(`${before}/`);
  rmSync(join(root, agent, '.failing'), { force: true });
  writeFileSync(file, `${process.pid} ${startTimeOf(process.pid)} ${runner}`);
}

/** Starts the watcher in a session of its own, so that a signal to the runner's group does not reach it. */
function startWatcher(): void {
  const file = fileURLToPath(new URL('./watcher.js', import.meta.url));
  const child = spawn(process.execPath, [file, `${runner}/`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  (child.stdin as unknown as { unref?: () => void }).unref?.();
}
