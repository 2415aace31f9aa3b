import {
  type ChildProcess,
  type ChildProcessByStdio,
  spawn,
  type SpawnOptions,
  type StdioOptions,
} from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Resolver } from '../../../platform/http/outbound-addresses-and-errors.js';
import { settlesWithin } from '../connection/deadlines.js';
import { Egress, type Refusals } from '../network/egress-connections-and-name-lookups.js';
import { portsOf } from '../network/permitted-hosts-and-ports.js';
import type { ControlGroup, ControlGroups } from '../sandbox/control-groups.js';
import { ifAvailable } from '../sandbox/host-programs.js';
import { hasOwnNetwork, launchCommand, MAX_PROCESSES, type SandboxLevel } from '../sandbox/launch-command.js';
import { hiddenPaths, leadsAway, resolveCommand } from '../sandbox/mount-plan.js';
import {
  makeRunFolder,
  removeRunFolder,
  type RunFolder,
} from '../sandbox/run-folder-environment-and-secret-files.js';
import type { StdioServer } from '../server-description-and-limits.js';
import { endProcess, ProcessTree, STOP_LADDER, type StopLadder } from './end-process.js';

/** A child process with its three standard streams as pipes. */
export type PipedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** The group of the server is removed once the reason has been read from it. */
const REASON_MS = 1_000;

/** One running server: its process, all processes that came out of it, and the folder of this start. */
export class McpProcess {
  /** Settles when the leader has ended. The 'close' event would not do: a grandchild may still hold the pipes. */
  readonly exited: Promise<string>;
  /** Whether the kernel ended it because the memory of its group was used up; settles when the leader has ended. */
  readonly ranOutOfMemory: Promise<boolean>;
  private ending: Promise<void> | null = null;

  constructor(
    readonly process: PipedProcess,
    readonly tree: ProcessTree,
    private readonly run: RunFolder,
    private readonly options: {
      egress?: Egress | null;
      group?: ControlGroup | null;
      stopLadder?: StopLadder;
    } = {},
  ) {
    this.exited = new Promise((resolve) => {
      process.once('exit', (code, signal) =>
        resolve(signal ? `was ended by ${signal}` : `exited with code ${code}`),
      );
    });
    this.ranOutOfMemory = this.exited.then(async () => (await options.group?.ranOutOfMemory()) ?? false);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** The folder of this start, with the temporary files of the server. */
  get folder(): string {
    return this.run.path;
  }

  /** What the network rule of the server has refused; null for a server in the host's network. */
  get refusals(): Refusals | null {
    return this.options.egress?.refusals ?? null;
  }

  /** Ends the server and all its descendants; resolves when none is left. A second call joins the first. */
  end(ladder = this.options.stopLadder ?? STOP_LADDER): Promise<void> {
    this.ending ??= this.endAll(ladder);
    return this.ending;
  }

  private async endAll(ladder: StopLadder): Promise<void> {
    const { stdin, stdout, stderr } = this.process;
    await endProcess({ stdin, exited: this.exited, tree: this.tree }, ladder);
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    this.options.egress?.close();
    await settlesWithin(this.ranOutOfMemory, REASON_MS);
    await this.options.group?.remove();
    await removeRunFolder(this.run);
  }
}

const NO_RESOURCES = 'This host has no resources for another process at the moment. Try again later.';

const SPAWN_ERRORS: Partial<Record<string, string>> = {
  E2BIG: 'The values of the variables are too large for a process: a single value may have up to 128 KiB.',
  ERR_INVALID_ARG_VALUE: 'A value holds a NUL character, which no process can receive.',
  EAGAIN: NO_RESOURCES,
  ENOMEM: NO_RESOURCES,
};

/** How child processes are started: the sandbox level, and which files of this host are hidden from them. */
export interface ChildSettings {
  sandbox: SandboxLevel;
  /** The service's own data folder: hidden from children. The folders of their starts lie in it. */
  serviceDataDir: string;
  /** Whether this host lets a server have a network of its own, by `networkWorks`; default true. */
  ownNetwork?: boolean;
  /** `OUTBOUND_ALLOWED_HOSTS`: the private addresses that a server with a network of its own may reach. */
  allowedHosts?: readonly string[];
  /** Replaces the resolver of the host for servers with a network of their own. */
  resolve?: Resolver;
  /** Where the kernel limits servers, one group per start; absent or null: the service watches them. */
  controlGroups?: ControlGroups | null;
  /** Memory of a server without a limit of its own. */
  processMemoryMb?: number;
  /** Further files and folders to hide: a key ring elsewhere, settings files. */
  hiddenPaths?: readonly string[];
  /** `MCP_DISK_MB`: no file of a server grows larger; 0 or absent is off. */
  diskMb?: number;
  /** Default: 2 s after the end of input, 3 s after SIGTERM (contract §7.6). */
  stopLadder?: StopLadder;
}

/** The process of a server could not be started; the message says what is missing. */
export class SpawnFailure extends Error {}

/**
 * Starts the process of a server at the sandbox level of `settings`.
 *
 * It is spawned from Node's main thread, because the thread's death is the signal that children die by, and
 * `detached`: without a process group of its own, a child's kill(0, SIGUSR1) would reach the service and open its
 * debugger.
 *
 * @throws {SpawnFailure} when the folder, the program or a resource of the host is missing
 */
export async function startProcess(server: StdioServer, settings: ChildSettings): Promise<McpProcess> {
  // The private folder is made first, because a server whose catalogue entry names no folder runs in it.
  await mkdir(server.dataDir, { recursive: true, mode: 0o700 });
  await checkStartable(server);
  const described = hasOwnNetwork(settings, server) ? server : { ...server, network: undefined };
  const run = await makeRunFolder(described, settings.serviceDataDir);
  try {
    return await spawnIn(run, described, settings);
  } catch (error) {
    await removeRunFolder(run);
    throw error;
  }
}

/** A missing command and a missing folder give the same ENOENT, so each is checked separately. */
async function checkStartable(server: StdioServer): Promise<void> {
  const folder = await stat(server.cwd).catch(() => null); // Missing or unreadable: the check below refuses both.
  if (!folder?.isDirectory())
    throw new SpawnFailure(
      server.installDir === null && server.cwd !== server.dataDir
        ? `The folder of launch.cwd, ${server.cwd}, does not exist on this host. Create it, or correct the entry.`
        : 'The folder that the server runs in does not exist. Install the server again.',
    );
  if (resolveCommand(server.command) === null) {
    throw new SpawnFailure(
      'The program that runs the server does not exist or is not executable. Check the runtime, or install the server again.',
    );
  }
}

async function spawnIn(run: RunFolder, server: StdioServer, settings: ChildSettings): Promise<McpProcess> {
  const hidden = hiddenPaths(settings.serviceDataDir, settings.hiddenPaths ?? []);
  if (settings.sandbox !== 'process-group' && leadsAway(server, hidden)) throw new SpawnFailure(LED_AWAY);
  const launch = withFileLimit(launchCommand(settings.sandbox, server, run, hidden), settings);
  const egress = egressOf(server, settings);
  const group = await groupOf(run, server, settings);
  try {
    const { command, args } = group ? group.entering(launch.command, launch.args) : launch;
    const child = await spawned(command, args, { cwd: server.cwd, env: run.env }, egress);
    const tree = new ProcessTree(child.pid ?? 0, settings.sandbox, run.path);
    return new McpProcess(child, tree, run, { egress, group, stopLadder: settings.stopLadder });
  } catch (error) {
    await group?.remove();
    throw error;
  }
}

const LED_AWAY =
  'A path of the server leads out of the folder that it may write, or to files of the service. Look at the links in its paths.';

/** A group that cannot be made fails the start, because the server would run without its limits. */
async function groupOf(
  run: RunFolder,
  { limits: { memoryMb, processes = MAX_PROCESSES } = {} }: StdioServer,
  { controlGroups, processMemoryMb }: ChildSettings,
): Promise<ControlGroup | null> {
  if (!controlGroups) return null;
  return controlGroups.create(basename(run.path), { memoryMb: memoryMb ?? processMemoryMb, processes });
}

/** The kernel bounds a single file at once; `DiskLimits` counts all files, but only from time to time. */
function withFileLimit(
  launch: { command: string; args: string[] },
  { diskMb = 0 }: ChildSettings,
): { command: string; args: string[] } {
  const [command, ...args] = diskMb === 0 ? [] : ifAvailable('prlimit', `--fsize=${diskMb * 2 ** 20}`, '--');
  return command === undefined ? launch : { command, args: [...args, launch.command, ...launch.args] };
}

/** Returns the way out of the server's network namespace; null where it has none, or is in the host's network. */
function egressOf({ network }: StdioServer, { allowedHosts = [], resolve }: ChildSettings): Egress | null {
  return network && portsOf(network).length > 0 ? new Egress({ rule: network, allowedHosts, resolve }) : null;
}

/** Node throws some failures to spawn, and emits others as an event. */
async function spawned(
  command: string,
  args: string[],
  where: Pick<SpawnOptions, 'cwd' | 'env'>,
  egress: Egress | null,
): Promise<PipedProcess> {
  try {
    // The channel passes the sockets of the server's network namespace, and is closed before the server runs.
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', ...(egress ? (['ipc'] as const) : [])];
    const child = spawn(command, args, { ...where, stdio, detached: true }) as ChildProcess as PipedProcess;
    egress?.receiveFrom(child);
    child.stdin.on('error', () => undefined); // EPIPE: the exit that follows is reported.
    await once(child, 'spawn');
    child.on('error', () => undefined); // A signal that was not delivered: the process tree is checked after each one.
    return child;
  } catch (error) {
    throw asSpawnFailure(error);
  }
}

function asSpawnFailure(error: unknown): SpawnFailure {
  const code =
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
  return new SpawnFailure(SPAWN_ERRORS[code] ?? `The process of the server could not be started (${code}).`);
}
