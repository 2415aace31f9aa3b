import { readdirSync, readFileSync } from 'node:fs';

/** A process with its start time, which distinguishes it from a later process with the same number. */
export interface Descendant {
  pid: number;
  start: string;
  command: string;
}

/** Returns all processes that a process has started, directly or indirectly, from /proc. */
export function descendantsOf(pid: number): Descendant[] {
  const all = processes();
  const found: Descendant[] = [];
  const parents = [pid];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop())
    for (const one of all.filter(({ ppid }) => ppid === parent)) {
      found.push(one);
      parents.push(one.pid);
    }
  return found;
}

/** Returns the processes that still run. Zombies do not count. */
export function alive(descendants: Descendant[]): Descendant[] {
  const now = new Map(processes().map((one) => [one.pid, one]));
  return descendants.filter(({ pid, start }) => now.get(pid)?.start === start && now.get(pid)?.state !== 'Z');
}

function processes(): (Descendant & { ppid: number; state: string })[] {
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
