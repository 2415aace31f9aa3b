import { readFileSync } from 'node:fs';

/** Lowers a limit of a server to that of this process, such as `Max open files`, which no child can exceed (contract §3.3). */
export function withinOwnLimit(limit: number, name: string): number {
  return Math.min(limit, ownLimit(name));
}

function ownLimit(name: string): number {
  const row = ownLimits().find((line) => line.startsWith(`${name} `));
  const [, hard = 'unlimited'] = row?.slice(name.length).trim().split(/\s+/) ?? [];
  return hard === 'unlimited' ? Infinity : Number(hard);
}

function ownLimits(): string[] {
  try {
    return readFileSync('/proc/self/limits', 'utf8').split('\n');
  } catch {
    // A host without /proc has no sandbox either: prlimit reports a limit that is too high.
    return [];
  }
}
