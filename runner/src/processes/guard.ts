import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../config/config-file.js';
import { killMarked, startTimeOf } from './process-table.js';

const runner = randomUUID();
let watcher: ChildProcess | null = null;

/** Returns the mark of one run of this runner. A watcher process kills what bears it when this runner dies. */
export function markOfRun(root: string, agent: string): string {
  watcher ??= startWatcher();
  return `${runner}/${markOfAgent(root, agent)}${randomUUID()}`;
}

/**
 * Takes an agent's folder for this runner, and kills what an earlier runner left in it.
 * @throws {ConfigError} when another runner works for the agent there
 */
export async function takeFolder(root: string, agent: string): Promise<void> {
  const file = join(root, agent, '.runner');
  mkdirSync(join(root, agent, '.runs'), { recursive: true, mode: 0o700 });
  const [pid = '', startTime, before] = existsSync(file) ? readFileSync(file, 'utf8').split(' ') : [];
  const isAlive = startTime !== undefined && startTimeOf(Number(pid)) === startTime;
  if (isAlive && Number(pid) !== process.pid)
    throw new ConfigError(
      `The runner with process id ${pid} already works for ${agent} in ${root}. Stop it.`,
    );
  if (before) await killMarked(`${before}/${markOfAgent(root, agent)}`);
  rmSync(join(root, agent, '.failing'), { force: true });
  writeFileSync(file, `${process.pid} ${startTimeOf(process.pid)} ${runner}`);
}

/** Gives the folder back, so that `ps` knows that no runner works there. */
export function leaveFolder(root: string, agent: string): void {
  rmSync(join(root, agent, '.runner'), { force: true });
}

function markOfAgent(root: string, agent: string): string {
  return `${createHash('sha256').update(root).digest('hex').slice(0, 12)}/${agent}/`;
}

/** Starts the watcher in a session of its own, so that a signal to the runner's group does not reach it. */
function startWatcher(): ChildProcess {
  const file = fileURLToPath(new URL('./watcher.js', import.meta.url));
  const stdio = ['pipe', 'ignore', 'ignore'] as ['pipe', 'ignore', 'ignore'];
  const child = spawn(process.execPath, [file, `${runner}/`], { detached: true, stdio });
  child.unref();
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return child;
}
