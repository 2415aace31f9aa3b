import { type ChildProcess, spawn } from 'node:child_process';
import { open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { asAccount, type PostgresHome, toolEnvironment } from './postgres-home.js';
import { endedWithin, startOf } from './process-identity.js';

/** What PostgreSQL writes into postmaster.pid (src/include/utils/pidfile.h). */
export interface PostmasterPid {
  pid: number;
  /** The address, or the folder of the socket. */
  host: string;
  port: number;
  ready: boolean;
}

/** Returns null when there is no such file, or only an incomplete one. */
export async function readPostmasterPid(clusterDir: string): Promise<PostmasterPid | null> {
  // A missing file is the usual case: no server runs.
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return null;
  // The folder in the file is not used: it is where the server was started, and may have been moved since.
  const host = lines[5] || clusterDir;
  return { pid, host, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Lets a server start although another program runs under the pid that a dead server left in the file. The file must
 * stay: its shared memory key keeps a new server away while children of the dead one still write. PostgreSQL treats the
 * pid of its own parent, which is this process, as stale, so that pid is written. A file that a power failure emptied,
 * which PostgreSQL would take for a server that is just starting, gets the same pid.
 */
export async function disarmPostmasterPid(clusterDir: string): Promise<void> {
  const file = join(clusterDir, 'postmaster.pid');
  // A file that is missing needs no change. One that cannot be read stops the server, which reports it.
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return;
  const draft = `${file}.new`;
  await writeFile(draft, text.replace(/^.*/, String(process.pid)), { mode: 0o600 });
  await rename(draft, file);
}

/** A running server. `start` distinguishes it from a later process with its pid; `ended` resolves with the reason. */
export interface ServerProcess {
  pid: number;
  start: string;
  /** As in `PostmasterPid`. */
  host: string;
  port: number;
  ended: Promise<string>;
}

const fastShutdownMs = 5_000;
const immediateShutdownMs = 10_000;

/** Watches a server that is not a child of this process and sends no exit event: its pid is checked each second. */
export function watchForeignServer({ pid, host, port }: PostmasterPid, start: string): ServerProcess {
  return { pid, start, host, port, ended: untilGone(pid, start) };
}

/**
 * Ends the server and waits for it. A shutdown that takes too long (a checkpoint on a slow disk) is cut short: the next
 * start then replays the log, and nothing that was committed is lost.
 */
export async function endServer(server: ServerProcess): Promise<void> {
  if (await endsOn(server, 'SIGINT', fastShutdownMs)) return;
  if (await endsOn(server, 'SIGQUIT', immediateShutdownMs)) return;
  throw new Error(`The embedded PostgreSQL (process ${server.pid}) does not end.`);
}

async function endsOn(server: ServerProcess, signal: NodeJS.Signals, milliseconds: number): Promise<boolean> {
  if ((await startOf(server.pid)) !== server.start) return true;
  try {
    process.kill(server.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
  return endedWithin(server.pid, server.start, milliseconds);
}

async function untilGone(pid: number, start: string): Promise<string> {
  while ((await startOf(pid)) === start) await sleep(1_000, undefined, { ref: false });
  return 'it is gone';
}

/** The longest path of a Unix socket in bytes: Linux, and therefore Node, keeps 108 with the final NUL. */
const LONGEST_SOCKET_PATH = 107;
const LONGEST_SOCKET_NAME = '/.s.PGSQL.65535'.length;

/**
 * Returns the settings that say where the server listens: on a socket in its own folder, and on no port. A sandboxed MCP
 * server shares the host's loopback but cannot see the data folder, so it cannot reach the database. Only when the
 * folder's path is too long for a socket does the server listen on 127.0.0.1, protected by its password.
 */
export function listeningSettings(clusterDir: string): Record<string, string> {
  if (Buffer.byteLength(clusterDir) + LONGEST_SOCKET_NAME > LONGEST_SOCKET_PATH)
    return { listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  // The setting is a list: quotes keep a path with commas and spaces one entry.
  return {
    listen_addresses: '',
    unix_socket_directories: `"${clusterDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
  };
}

/** Removes the sockets of killed servers. To be called only while no server of the cluster runs. */
export async function removeOldSockets(clusterDir: string): Promise<void> {
  const names = (await readdir(clusterDir)).filter((name) => name.startsWith('.s.PGSQL.'));
  await Promise.all(names.map((name) => rm(join(clusterDir, name), { force: true })));
}

/**
 * Returns the command-line settings of the server. Errors of single statements stay out of its log: the service causes
 * them daily (it inserts and translates the violation) and reports them itself, and their text can hold a secret.
 */
export function serverSettings(
  clusterDir: string,
  port: number,
  overrides: Record<string, string>,
): string[] {
  const settings: Record<string, string> = {
    ...listeningSettings(clusterDir),
    port: String(port),
    max_connections: '200',
    shared_buffers: '128MB',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    // The default of 4 is tuned for spinning disks: it makes the planner sort thousands of rows instead of following
    // an index to the first fifty.
    random_page_cost: '1.1',
    // Parallel queries share memory in /dev/shm, of which a container has 64 MB; the service's queries are short.
    max_parallel_workers_per_gather: '0',
    ...overrides,
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The server ended before it accepted a connection. Its output shows whether another attempt can help. */
export class ServerDidNotStart extends Error {
  /** Another process has taken the port since it was found free. */
  readonly portTaken: boolean;
  /** Children of a dead server are still ending, or an orphaned server is just starting. */
  readonly clusterBusy: boolean;

  constructor(reason: string, said: string) {
    super(`The embedded PostgreSQL did not start: ${reason}. ${said.trim()}`);
    this.name = 'ServerDidNotStart';
    this.portTaken = /could not bind|could not create any TCP\/IP sockets/.test(said);
    this.clusterBusy = /is still in use|lock file .* already exists/.test(said);
  }
}

export interface SpawnOptions {
  port: number;
  settings: Record<string, string>;
  /** Fires to end a server that is still starting, such as one that replays a long log. */
  signal: AbortSignal;
}

const maxLogBytes = 10 * 1024 * 1024;

/**
 * Starts a server and resolves when it accepts connections.
 * @throws {ServerDidNotStart} when it ends before
 */
export async function spawnServer(home: PostgresHome, options: SpawnOptions): Promise<ServerProcess> {
  await rotateLog(home.logFile);
  const alreadyLogged = await sizeOf(home.logFile);
  const { child, ended } = await launch(home, options);
  let reason: string | null = null;
  void ended.then((end) => (reason = end));
  let file = await ownPidFile(home.clusterDir, child.pid, options.port);
  for (; !file?.ready; file = await ownPidFile(home.clusterDir, child.pid, options.port)) {
    if (reason) throw new ServerDidNotStart(reason, await logSince(home.logFile, alreadyLogged));
    if (options.signal.aborted) child.kill('SIGINT');
    await sleep(20);
  }
  const pid = child.pid ?? 0;
  return { pid, start: (await startOf(pid)) ?? 'gone', host: file.host, port: file.port, ended };
}

interface Launched {
  child: ChildProcess;
  /** Resolves with the reason for which the process ended. */
  ended: Promise<string>;
}

/**
 * Spawns the server in its own session, so that Ctrl-C in the terminal reaches only the service, and with a file for
 * its output instead of a pipe, so that it never waits for a reader and can outlive this process. Its end is heard from
 * the tick of its start: a server that refuses at once may have ended before the file is closed.
 */
async function launch(home: PostgresHome, { port, settings }: SpawnOptions): Promise<Launched> {
  const log = await open(home.logFile, 'a', 0o600);
  try {
    const args = ['-D', home.clusterDir, ...serverSettings(home.clusterDir, port, settings)];
    const [command, words] = asAccount(home.account, home.binaries.postgres, args);
    const child = spawn(command, words, {
      env: toolEnvironment,
      stdio: ['ignore', log.fd, log.fd],
      detached: true,
    });
    child.unref();
    return { child, ended: endOf(child) };
  } finally {
    await log.close();
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal ? `it received ${signal}` : `it ended with code ${code}`),
    );
  });
}

/** Returns null while there is no pid file, or only another server's. */
async function ownPidFile(
  clusterDir: string,
  pid: number | undefined,
  port: number,
): Promise<PostmasterPid | null> {
  const file = await readPostmasterPid(clusterDir);
  return file && file.pid === pid && file.port === port ? file : null;
}

/** Keeps one older log. To be called only between two servers, when nothing writes to it. */
async function rotateLog(logFile: string): Promise<void> {
  if ((await sizeOf(logFile)) > maxLogBytes) await rename(logFile, `${logFile}.1`);
}

async function sizeOf(file: string): Promise<number> {
  // The file is missing before the first start.
  return (await stat(file).catch(() => ({ size: 0 }))).size;
}

async function logSince(logFile: string, offset: number): Promise<string> {
  return (await readFile(logFile)).subarray(offset).toString();
}
