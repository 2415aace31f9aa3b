import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The variable that every process of a run inherits. It names the run, so that its descendants can be found. */
export const MARK = 'AWP_RUN_MARK';

/** Returns when a process started, in ticks since boot, or null when it does not exist. A pid alone can be used again. */
export function startTimeOf(pid: number): string | null {
  const stat = fileOf(pid, 'stat');
  // The name before these fields may itself contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? null : (fields[19] ?? null);
}

/**
 * Sends a signal to all processes whose mark begins with `mark`, and to the groups that they lead, because a program can start
 * others without the mark. Returns how many marked ones there were. @param group of a leader that may have ended
 */
export function signalMarked(mark: string, signal: NodeJS.Signals, group?: number): number {
  const wanted = `\0${MARK}=${mark}`;
  const pids = readdirSync('/proc').map(Number);
  // What has ended, and what is no process, has no environment.
  const marked = pids.filter((pid) => pid !== process.pid && `\0${fileOf(pid, 'environ')}`.includes(wanted));
  for (const leader of [...marked, ...(group === undefined ? [] : [group])]) send(-leader, signal);
  return marked.filter((pid) => send(pid, signal)).length;
}

/** Kills all processes of a mark. A process can fork while the table is read, so it reads until there is none. */
export async function killMarked(mark: string, group?: number): Promise<void> {
  for (let round = 0; round < 50 && signalMarked(mark, 'SIGKILL', group) > 0; round += 1) await sleep(20);
}

function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    // The process, or the group, has ended.
    return false;
  }
}
