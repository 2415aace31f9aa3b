import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startOf } from '../embedded-postgres/running-process.js';

/** Where a running service listens. By this record `npm run doctor` distinguishes it from other programs on the port. */
export interface ListeningRecord {
  pid: number;
  /** What distinguishes the process from a later one with the same pid. */
  start: string;
  host: string;
  port: number;
}

const FILE = /^listening\.\d+\.json$/;

/** Writes the record of this process into the data folder, and removes those of processes that no longer run. */
export async function recordListening(dataDir: string, host: string, port: number): Promise<void> {
  for (const { file, record } of await readAll(dataDir))
    if (!(await isRunning(record))) await rm(join(dataDir, file), { force: true });
  const record: ListeningRecord = {
    pid: process.pid,
    start: (await startOf(process.pid)) ?? '',
    host,
    port,
  };
  await writeFile(fileOf(dataDir), JSON.stringify(record), { mode: 0o600 });
}

/** Removes the record of this process. */
export async function forgetListening(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true });
}

/** Returns the records of the processes that run on this data folder. */
export async function runningServices(dataDir: string): Promise<ListeningRecord[]> {
  const running: ListeningRecord[] = [];
  for (const { record } of await readAll(dataDir))
    if (record && (await isRunning(record))) running.push(record);
  return running;
}

async function isRunning(record: ListeningRecord | null): Promise<boolean> {
  return record !== null && (await startOf(record.pid)) === record.start;
}

async function readAll(dataDir: string): Promise<{ file: string; record: ListeningRecord | null }[]> {
  const files = (await namesIn(dataDir)).filter((name) => FILE.test(name));
  return Promise.all(files.map(async (file) => ({ file, record: await read(join(dataDir, file)) })));
}

async function namesIn(dataDir: string): Promise<string[]> {
  try {
    return await readdir(dataDir);
  } catch {
    // A folder that does not exist holds no record.
    return [];
  }
}

async function read(file: string): Promise<ListeningRecord | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ListeningRecord;
  } catch {
    // A crash left the file incomplete, so its process is gone.
    return null;
  }
}

function fileOf(dataDir: string): string {
  return join(dataDir, `listening.${process.pid}.json`);
}
