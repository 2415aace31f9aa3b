import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ConfigError } from '../config/config-file.js';
import { appendOwn, folderBelow, pathBelow, readOwn, writeOwn } from '../workspace/paths.js';
import { killMarked, startTimeOf } from './process-table.js';

const runner = randomUUID();
let watcher: ChildProcess | null = null;
/** Says which runner works for an agent: its pid, start time and mark, and in the next line why the agent is failing. */
const fileOf = (root: string, agent: string) => join(root, agent, '.runner');

/** Returns the mark of one run of this runner. A watcher process kills what bears it when this runner dies. */
export function newMark(): string {
  watcher ??= startWatcher();
  return `${runner}/${randomUUID()}`;
}

/**
 * Takes an agent's folder for this runner, and kills what an earlier runner left behind. Returns whether there was an
 * earlier one, which has ended.
 * @throws {ConfigError} when another runner works for the agent there, or the folder leads elsewhere
 */
export async function takeFolder(root: string, agent: string): Promise<boolean> {
  folderBelow(root, agent, '.runs');
  const file = pathBelow(root, agent, '.runner');
  const [pid = '', startTime, before] = readOwn(file).split(/\s/);
  const problem = `The runner with process id ${pid} already works for ${agent} in ${root}. Stop it.`;
  if (startTime !== undefined && startTimeOf(Number(pid)) === startTime) throw new ConfigError(problem);
  if (before) await killMarked(`${before}/`);
  writeOwn(file, `${process.pid} ${startTimeOf(process.pid)} ${runner}\n`);
  return before !== undefined;
}

/** Marks an agent as failing, for `ps` in another terminal, until the next start. */
export function noteFailure(root: string, agent: string, text: string): void {
  try {
    appendOwn(fileOf(root, agent), `${agent} is failing: ${text}`);
  } catch {
    // The disk may be full. The terminal of the runner shows it too.
  }
}

/** Returns the lines about agents that take no more work. */
export const failuresOf = (root: string, agents: string[]) =>
  agents.map((agent) => fileOf(root, agent)).flatMap((file) => readOwn(file).split('\n')[1] || []);

/** Starts the watcher in a session of its own, so that a signal to the runner's group does not reach it. */
function startWatcher(): ChildProcess {
  const file = join(import.meta.dirname, 'watcher.js');
  const child = spawn(process.execPath, [file, `${runner}/`], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  (child.stdin as unknown as { unref?: () => void }).unref?.();
  return child;
}
