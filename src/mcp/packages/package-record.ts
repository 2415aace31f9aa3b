import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackageFile } from './package-copy.js';
import type { PackageRequest } from './package-request.js';

/** This file is written last: a folder without it is incomplete, after a failure or the death of the service. */
export const COMPLETION_FILE = 'installed.json';

/** What was installed into a folder; an earlier release recorded no files, and before that no lock. */
export type PackageRecord = PackageRequest & { lock?: string | null; files?: PackageFile[] };

/** Returns the record of a package; null if the folder is missing or incomplete. */
export async function readRecord(folder: string): Promise<PackageRecord | null> {
  try {
    return JSON.parse(await readFile(join(folder, COMPLETION_FILE), 'utf8')) as PackageRecord;
  } catch {
    // Without a readable record the package counts as absent, and is fetched.
    return null;
  }
}

export async function writeRecord(folder: string, record: PackageRecord): Promise<void> {
  await writeFile(join(folder, COMPLETION_FILE), `${JSON.stringify(record)}\n`);
}
