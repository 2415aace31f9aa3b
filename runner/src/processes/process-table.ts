import { readdirSync, readFileSync } from 'node:fs';

/** The variable that every process of a run inherits. It names the run, so that its descendants can be found. */
export const MARK = 'AWP_RUN_MARK';

/** Returns when a process started, in ticks since boot, or null when it does not exist. A pid alone can be used again. */
export function startTimeOf(pid: number): string | null {
  const fields = statOf(pid);
  return fields && fields[0] !== 'Z' ? (fields[19] ?? null) : null;
}

/** Sends a signal to all processes whose mark begins with `mark`, and to the group. Returns how many there were. */
export function signalMarked(mark: string, signal: NodeJS.Signals, group?: number): number {
  const marked = markedBy(mark);
  if (group !== undefined) send(-group, signal);
  return marked.filter((pid) => send(pid, signal)).length;
}

/** Ends a process and its group by force if it still is the one that started at `startTime`. */
export function killIfSame(pid: number, startTime: string): void {
  if (startTimeOf(pid) === startTime) send(-pid, 'SIGKILL');
}

/** Kills all processes of a mark. A process can fork while the table is read, so it reads until there is none. */
export async function killMarked(mark: string, group?: number): Promise<void> {
  for (let round = 0; round < 50 && signalMarked(mark, 'SIGKILL', group) > 0; round += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

function markedBy(mark: string): number[] {
  if (process.platform !== 'linux') return [];
  const wanted = `\0${MARK}=${mark}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(wanted) && startTimeOf(pid) !== null);
}

function environmentOf(pid: number): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`;
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}

/** Returns the fields of /proc/…/stat after the name, which may itself contain spaces and parentheses. */
function statOf(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // The process has ended.
    return null;
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
