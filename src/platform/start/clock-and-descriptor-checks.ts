import { closeSync, readdirSync, readFileSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { clockAheadMs } from '../database/data-source-pool-and-limits.js';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes the descriptors that this process inherited besides its standard streams, such as a file or pipe that the shell of
 * the operator had open. Children would inherit them too, and so would MCP servers. Node marks inherited descriptors to be
 * closed in children, but stops at the first gap above 15. What Node and libraries open themselves has the mark.
 */
export function closeInheritedDescriptors(): void {
  for (const descriptor of openDescriptors())
    if (descriptor > 2 && isInheritable(descriptor)) close(descriptor);
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    // Without /proc (outside Linux) they cannot be listed.
    return [];
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? [];
    return flags !== '' && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // It was the descriptor of the listing itself.
    return false;
  }
}

function close(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // An error of the last write to it concerns who opened it.
  }
}

/** Between clocks that are kept in step. `npm run doctor` reports a smaller difference as well. */
const TOLERATED_MS = 60_000;

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/**
 * Compares the clock of this host with that of the database and returns one sentence when they differ by more than a
 * minute. Leases follow the clock of the database, the expiry of keys and sessions that of this host.
 */
export async function clockWarning(database: DataSource): Promise<string | null> {
  return warningOf(await clockAheadMs(database));
}

/** @param ahead how many milliseconds the clock of this host is ahead of that of the database */
export function warningOf(ahead: number): string | null {
  if (Math.abs(ahead) <= TOLERATED_MS) return null;
  return `The clock of this host is ${lengthOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the clock of the database, so keys and sessions end at the wrong time. Synchronise the clocks of both hosts, for instance with chrony.`;
}

function lengthOf(ms: number): string {
  const [unit, size] = UNITS.find(([, length]) => ms >= length)!;
  const count = Math.round(ms / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
