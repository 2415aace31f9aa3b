import { spawn, type ChildProcessByStdio, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { launchCommand } from './launch-command.js';
import { hiddenPaths } from './mount-plan.js';
import { ProcessFamily } from './process-family.js';
import { makeRunFolder, removeRunFolder, type RunFolder } from './run-folder.js';
import { resolveCommand } from './runtime-folders.js';
import type { SandboxLevel } from './sandbox-level.js';
import type { StdioServer } from './server-description.js';
import { settlesWithin } from './within.js';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** How children are started: the level, and what of this host to keep from them. */
export interface ChildSettings {
  sandbox: SandboxLevel;
  /** The service's own data folder: hidden from children; the folders of their starts lie in it. */
  serviceDataDir: string;
  /** Further files and folders to hide: a key ring elsewhere, settings files. */
  hiddenPaths?: readonly string[];
  /** Default: 2 s after the end of input, 3 s after SIGTERM (spec §7). */
  stopLadder?: StopLadder;
}

/** The stop ladder: stdin closed, then SIGTERM to all, then SIGKILL. In milliseconds. */
export interface StopLadder {
  afterEndOfInputMs: number;
  afterTerminateMs: number;
}

/** A server could not even be started; the sentence says what is missing. */
export class SpawnFailure extends Error {}

/**
 * One running server: its process, all that came out of it, and the folder of this start. Spawned from Node's
 * main thread (its death is the signal that children die by) and `detached`: without a group of its own a
 * child's kill(0, SIGUSR1) would reach the service and open its debugger.
 */
export class ChildServer {
  /** Settles when the leader has ended; a grandchild may still hold the pipes, so 'close' would not do. */
  readonly exited: Promise<string>;
  private ending: Promise<void> | null = null;

  private constructor(
    readonly process: Child,
    readonly family: ProcessFamily,
    private readonly run: RunFolder,
    private readonly stopLadder: StopLadder = STOP_LADDER,
  ) {
    this.exited = new Promise((resolve) => {
      process.once('exit', (code, signal) =>
        resolve(signal ? `was ended by ${signal}` : `exited with code ${code}`),
      );
    });
  }

  static async start(server: StdioServer, settings: ChildSettings): Promise<ChildServer> {
    // The private folder comes first: where an entry names no folder to run in, it is that one.
    await mkdir(server.dataDir, { recursive: true, mode: 0o700 });
    await checkStartable(server);
    const run = await makeRunFolder(server, settings.serviceDataDir);
    try {
      return await ChildServer.spawnIn(run, server, settings);
    } catch (error) {
      await removeRunFolder(run);
      throw error;
    }
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** Ends the server and all its descendants; resolves when none is left. Calling it again joins the first call. */
  end(ladder = this.stopLadder): Promise<void> {
    this.ending ??= this.climb(ladder);
    return this.ending;
  }

  private static async spawnIn(
    run: RunFolder,
    server: StdioServer,
    settings: ChildSettings,
  ): Promise<ChildServer> {
    const hidden = hiddenPaths(settings.serviceDataDir, settings.hiddenPaths ?? []);
    const [command, ...args] = launchCommand(settings.sandbox, server, run, hidden);
    const child = await spawned(command, args, { cwd: server.cwd, env: run.env });
    return new ChildServer(
      child,
      new ProcessFamily(child.pid ?? 0, settings.sandbox, run.path),
      run,
      settings.stopLadder,
    );
  }

  /** What a look at the processes costs on a busy host is taken out of the patience, not added to it. */
  private async climb(ladder: StopLadder): Promise<void> {
    const killAt = Date.now() + ladder.afterEndOfInputMs + ladder.afterTerminateMs;
    await this.family.members(); // Whom the leader leaves behind can't be told by their parent any more.
    this.process.stdin.end();
    await settlesWithin(this.exited, ladder.afterEndOfInputMs);
    if (!(await this.isGone(0))) {
      await this.family.terminate();
      if (!(await this.isGone(Math.min(ladder.afterTerminateMs, killAt - Date.now())))) await this.killAll();
    }
    for (const stream of [this.process.stdin, this.process.stdout, this.process.stderr]) stream.destroy();
    await removeRunFolder(this.run);
  }

  /** Kills until nobody is left: a process may fork while the table is read. */
  private async killAll(): Promise<void> {
    for (let round = 0; round < KILL_ROUNDS; round += 1) {
      await this.family.kill();
      if (await this.isGone(KILL_ROUND_MS)) return;
    }
  }

  private async isGone(withinMs: number): Promise<boolean> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      if ((await this.family.members()).length === 0) return true;
      if (Date.now() >= deadline) return false;
      await delay(LOOK_AGAIN_MS);
    }
  }
}

/** Some failures to spawn are thrown, others come as an event. */
async function spawned(
  command: string,
  args: string[],
  where: Pick<SpawnOptions, 'cwd' | 'env'>,
): Promise<Child> {
  try {
    const child = spawn(command, args, { ...where, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    child.stdin.on('error', () => undefined); // EPIPE: the exit that follows tells the story.
    await once(child, 'spawn');
    child.on('error', () => undefined);
    return child;
  } catch (error) {
    throw asSpawnFailure(error);
  }
}

/** A missing command and a missing folder give the same ENOENT: so each is looked for by itself. */
async function checkStartable(server: StdioServer): Promise<void> {
  const folder = await stat(server.cwd).catch(() => null);
  if (!folder?.isDirectory())
    throw new SpawnFailure(
      'The folder that the server is to run in does not exist. Install the server anew.',
    );
  if (resolveCommand(server.command) === null) {
    throw new SpawnFailure(
      'The program that runs the server does not exist or may not be executed. Check the runtime, or install the server anew.',
    );
  }
}

function asSpawnFailure(error: unknown): SpawnFailure {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
  if (code === 'E2BIG')
    return new SpawnFailure(
      'The values of the variables are too large to be handed to a process: a single one may have up to 128 KiB.',
    );
  if (code === 'ERR_INVALID_ARG_VALUE')
    return new SpawnFailure('A value holds a NUL character, which no process can be given.');
  if (code === 'EAGAIN' || code === 'ENOMEM')
    return new SpawnFailure('This host has no room for a further process at the moment. Try again later.');
  return new SpawnFailure(`The server's process could not be started (${code}).`);
}

const STOP_LADDER: StopLadder = { afterEndOfInputMs: 2_000, afterTerminateMs: 3_000 };
const KILL_ROUNDS = 20;
const KILL_ROUND_MS = 250;
const LOOK_AGAIN_MS = 25;
