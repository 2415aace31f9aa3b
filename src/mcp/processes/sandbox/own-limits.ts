import { readFileSync } from 'node:fs';

/** Returns a hard limit of this process, which no child can exceed, such as `Max open files`. */
export function ownLimit(name: string): number {
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
