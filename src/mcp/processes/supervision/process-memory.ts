import { readFile } from 'node:fs/promises';
import type { ProcessRow } from './process-table.js';

/** Returns the resident memory of processes together. Pages that they share are counted once per process. */
export function residentBytesOf(rows: readonly ProcessRow[]): number {
  return rows.reduce((sum, { residentBytes }) => sum + residentBytes, 0);
}

/**
 * Returns the memory of processes together, in which a page that n processes share counts 1/n for each (PSS). A browser of
 * 13 processes shares half of its resident pages. The kernel walks the page tables for it, which takes milliseconds per
 * process, so it is read only where the resident memory says that it matters.
 */
export async function proportionalBytesOf(rows: readonly ProcessRow[]): Promise<number> {
  const each = await Promise.all(rows.map(proportionalBytes));
  return each.reduce((sum, bytes) => sum + bytes, 0);
}

async function proportionalBytes({ pid, residentBytes }: ProcessRow): Promise<number> {
  try {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1');
    const [, kibibytes] = /^Pss:\s+(\d+) kB$/m.exec(rollup) ?? [];
    return kibibytes === undefined ? residentBytes : Number(kibibytes) * 1024;
  } catch {
    // The process has ended, or the kernel (before 4.14) has no such file: its resident pages are an upper bound.
    return residentBytes;
  }
}
