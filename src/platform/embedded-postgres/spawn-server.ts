import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { asAccount, type PostgresHome } from './postgres-home.js';
import { readPostmasterPid, type PostmasterPid } from './postmaster-pid.js';
import { startOf } from './running-process.js';
import { ServerDidNotStart } from './server-did-not-start.js';
import type { ServerProcess } from './server-process.js';
import { serverSettings } from './server-settings.js';
import { toolEnvironment } from './tool-environment.js';

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
