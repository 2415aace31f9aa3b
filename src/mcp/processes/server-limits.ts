import { readFileSync } from 'node:fs';

/** The smallest and largest value of each limit that a server may have of its own. */
export const LIMIT_RANGES = {
  memoryMb: { least: 16, most: 1_048_576 },
  processes: { least: 4, most: 65_536 },
  openFiles: { least: 64, most: 1_048_576 },
  callTimeoutSeconds: { least: 1, most: 3_600 },
} as const;

export type LimitName = keyof typeof LIMIT_RANGES;

export const limitNames = Object.keys(LIMIT_RANGES) as LimitName[];

/** Limits of one server in place of those of the service (contract §7.5); what is absent is as the settings say. */
export type ServerLimits = Partial<Record<LimitName, number>>;

/** Returns the limits of the processes of a server: its own, and otherwise those of its entry (contract §3.3). */
export function limitsBeside(ofEntry: ServerLimits | null | undefined, own: ServerLimits): ServerLimits {
  return { ...ofEntry, ...own };
}

/** Returns the limits after a change, in which null removes one and an absent one stays. */
export function changedLimits(
  before: ServerLimits,
  change: Partial<Record<LimitName, number | null>>,
): ServerLimits {
  const pairs = limitNames.map((name) => [name, name in change ? change[name] : before[name]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== null && value !== undefined));
}

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
