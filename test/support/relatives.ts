import { readdirSync, readFileSync } from 'node:fs';

/** A process with the time of its start, which tells it from a later one with its number. */
export interface Relative {
  pid: number;
  start: string;
  command: string;
}

/** All that a process has started, and what these have, as /proc tells it. */
export function relativesOf(pid: number): Relative[] {
  const all = processes();
  const found: Relative[] = [];
  const parents = [pid];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop())
    for (const one of all.filter(({ ppid }) => ppid === parent)) {
      found.push(one);
      parents.push(one.pid);
    }
  return found;
}

/** Those that are still there, but for what only waits for its parent to notice its end. */
export function alive(relatives: Relative[]): Relative[] {
  const now = new Map(processes().map((one) => [one.pid, one]));
  return relatives.filter(({ pid, start }) => now.get(pid)?.start === start && now.get(pid)?.state !== 'Z');
}

function processes(): (Relative & { ppid: number; state: string })[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ');
        return [
          { pid: Number(name), state: fields[0]!, ppid: Number(fields[1]), start: fields[19]!, command },
        ];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
}
