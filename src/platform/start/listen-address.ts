import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startOf } from '../embedded-postgres/process-identity.js';
import { EXIT_CONFIG, EXIT_RETRY, StartError } from '../exit/exit-codes.js';

export interface Address {
  host: string;
  port: number;
}

/**
 * Describes why the service cannot listen on the address.
 * @param setting the one that has the port
 */
export function listenError(address: Address, error: unknown, setting = 'PORT'): StartError {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  const { host, port } = address;
  const ownAddress = 'set HOST to an address of this host, such as 127.0.0.1 or 0.0.0.0';
  switch (code) {
    case 'EADDRINUSE':
      return new StartError(
        `${setting}=${port}: another program listens on ${hostAndPort(address)} (${code})`,
        `stop that program, or set ${setting} to a free port`,
        EXIT_RETRY,
      );
    case 'EACCES':
      return new StartError(
        `${setting}=${port}: the user of the service, uid ${process.geteuid?.() ?? 'unknown'}, may not listen on this port (${code})`,
        `set ${setting} to one above 1023 and let a proxy listen on this one`,
        EXIT_CONFIG,
      );
    case 'EAI_AGAIN':
      return new StartError(
        `HOST=${host}: the name cannot be resolved at the moment (${code})`,
        ownAddress,
        EXIT_RETRY,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST=${host} is not an address of this host (${code})`, ownAddress, EXIT_CONFIG);
    default:
      return new StartError(
        `HOST and PORT: the service cannot listen on ${hostAndPort(address)} (${code})`,
        'set HOST to an address of this host and PORT to a free port',
        EXIT_CONFIG,
      );
  }
}

/** Returns the address as it appears in a URL. */
export function hostAndPort({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

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

/**
 * Listens once on the address and stops again, so that a wrong HOST or PORT ends the start before the database opens.
 * @throws {StartError} when the address cannot be used
 */
export async function probeAddress(address: Address): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    throw listenError(address, error);
  } finally {
    server.close();
  }
}
