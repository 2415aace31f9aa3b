import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Returns what distinguishes a process from a later one with the same pid: its start time and the boot that it counts
 * from. Returns null when there is no such process; a zombie that is never reaped (when the service is pid 1 of a
 * container) does not count as one.
 */
export async function startOf(pid: number): Promise<string | null> {
  if (process.platform !== 'linux') return startByPs(pid);
  // A missing file means that the process has ended.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The second field is the command in brackets, which may itself contain blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' ? null : `${await bootId()}/${started}`;
}

/**
 * Whether the process is a PostgreSQL server of this cluster: by the folder that it was started with, or by its
 * working directory, which follows a rename of the data folder (but is closed to a root without ptrace rights).
 */
export async function servesCluster(pid: number, clusterDir: string): Promise<boolean> {
  try {
    if (process.platform !== 'linux') return (await ps(pid, 'command')).includes(clusterDir);
    if ((await readFile(`/proc/${pid}/comm`, 'utf8')) !== 'postgres\n') return false;
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
    return (
      words.includes(clusterDir) || (await readlink(`/proc/${pid}/cwd`)) === (await realpath(clusterDir))
    );
  } catch {
    // The process has ended or belongs to another user, so it is not a server of this account.
    return false;
  }
}

/** Waits until the process is gone; false when it still runs after `milliseconds`. */
export async function endedWithin(pid: number, start: string, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while ((await startOf(pid)) === start) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

async function bootId(): Promise<string> {
  return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

async function startByPs(pid: number): Promise<string | null> {
  // `ps` fails when the process has ended; Z is the state of an ended one.
  const [state, ...started] = (await ps(pid, 'stat,lstart').catch(() => 'Z')).trim().split(/\s+/);
  return !state || state.startsWith('Z') ? null : started.join(' ');
}

async function ps(pid: number, columns: string): Promise<string> {
  const list = columns.split(',').flatMap((column) => ['-o', `${column}=`]);
  return (await run('ps', [...list, '-p', String(pid)])).stdout;
}
