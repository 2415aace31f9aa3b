import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { NETWORK_SCRIPT, networkArguments } from '../network/permitted-hosts-and-ports.js';
import { type ServerLimits, type StdioServer, withinOwnLimit } from '../server-description-and-limits.js';
import { findProgram, ifAvailable } from './host-programs.js';
import { type Mount, mountPlan } from './mount-plan.js';
import { namespaceArguments } from './namespace-command.js';
import type { RunFolder } from './run-folder-environment-and-secret-files.js';
import { bubblewrapFilter, namespaceFilter } from './system-call-filter.js';

const NAMESPACES =
  '--die-with-parent --new-session --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try ' +
  '--cap-drop ALL';

const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

const DEVICES_AND_EMPTY_FOLDERS = `--dev /dev --size ${SHARED_MEMORY_BYTES} --tmpfs /dev/shm --dir /run --dir /var/tmp`;

/**
 * Mounted read-only, because a child of a service that runs as root could write them: root owns the files and needs no
 * capability.
 */
const KERNEL_SWITCHES = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus'];
const KERNEL_FILES = ['--proc', '/proc', ...KERNEL_SWITCHES.flatMap((path) => ['--ro-bind-try', path, path])];

/**
 * Whether this host permits a new /proc in a sandbox. Docker masks parts of its own, and the kernel then refuses another
 * one. Node and Python run without it, and a server sees no other process either way. The probe at start finds it out.
 */
export const procMount = { isPermitted: true };

/**
 * Returns the arguments of bubblewrap that build a sandbox from `mounts`. It has PID, IPC, user and host name namespaces
 * and a session of its own, no capabilities, and ends with the service. The network stays the host's, because a server
 * has to reach its back end. Secrets are in the environment, never among these arguments, which every user of the host
 * can read.
 */
export function bubblewrapArguments(mounts: readonly Mount[], cwd: string): string[] {
  const hidden = mounts.filter((mount) => mount.kind === 'hidden' && statSync(mount.target).isDirectory());
  const readOnly = ['/dev', ...hidden.map((mount) => mount.target), '/'];
  return [
    ...NAMESPACES.split(' '),
    ...(procMount.isPermitted && forbidsNamespaces() ? ['--disable-userns'] : []),
    ...mounts.flatMap(mountArguments),
    ...(procMount.isPermitted ? KERNEL_FILES : []),
    ...DEVICES_AND_EMPTY_FOLDERS.split(' '),
    ...readOnly.flatMap((target) => ['--remount-ro', target]),
    '--chdir',
    cwd,
    '--',
  ];
}

let forbids: boolean | null = null;

/**
 * Whether bubblewrap can forbid user namespaces inside (0.8 and later): a server would have every capability in one, and
 * with it the parts of the kernel in which most local exploits are found. It writes to /proc/sys for that.
 */
function forbidsNamespaces(): boolean {
  forbids ??= spawnSync(findProgram('bwrap') ?? 'bwrap', ['--help'], { encoding: 'utf8' }).stdout?.includes(
    '--disable-userns',
  );
  return forbids === true;
}

function mountArguments(mount: Mount): string[] {
  if (mount.kind === 'link') return ['--symlink', mount.to, mount.target];
  if (mount.kind === 'read-only') return ['--ro-bind', mount.source, mount.target];
  if (mount.kind === 'writable') return ['--bind', mount.source, mount.target];
  return statSync(mount.target).isDirectory()
    ? ['--tmpfs', mount.target]
    : ['--ro-bind', '/dev/null', mount.target];
}

/**
 * How strongly a child process is contained, the strongest level first. docs/sandbox.md lists what each one guarantees.
 */
export type SandboxLevel = 'bubblewrap' | 'namespace' | 'process-group';

/**
 * MCP_SANDBOX. `auto` takes the strongest level that works, `require` refuses to start without one of the two strongest,
 * and `off` takes the weakest.
 */
export type SandboxSetting = 'auto' | 'require' | 'off';

/** The limit of processes and threads of a server. A browser with its helpers needs a few hundred. */
export const MAX_PROCESSES = 1024;
/** The limit of open files of a process. More is what a leak opens. */
const OPEN_FILES = 8192;

/**
 * Returns the program and arguments that start a server at a sandbox level. Every wrapper executes the next one in its
 * place, so the spawned process stays the one to watch.
 *
 * At all levels a server leaves no core dump (it would hold credentials), is the first to be killed when the host runs
 * out of memory, and dies with the service.
 */
export function launchCommand(
  level: SandboxLevel,
  server: StdioServer,
  run: RunFolder,
  hidden: readonly string[],
): { command: string; args: string[] } {
  const [command = server.command, ...args] = commandLine(level, server, run, hidden);
  return { command, args };
}

/** Whether a server gets a network of its own: its entry names what it needs, and the level can keep it there. */
export function hasOwnNetwork(
  { sandbox, ownNetwork = true }: { sandbox: SandboxLevel; ownNetwork?: boolean },
  { network }: StdioServer,
): boolean {
  return network !== undefined && sandbox !== 'process-group' && ownNetwork;
}

function commandLine(
  level: SandboxLevel,
  server: StdioServer,
  run: RunFolder,
  hidden: readonly string[],
): string[] {
  const common = [...fileLimits(server.limits), ...ifAvailable('choom', '-n', '500', '--')];
  const program = [server.command, ...server.args];
  if (level === 'process-group')
    return [...common, ...dieWithParent('--no-new-privs', ...dropCapabilities()), ...program];
  const mounts = mountPlan(server, run, hidden);
  const inside = [...processLimit(server.limits), ...withoutShellVariables(server.command), ...program];
  const network = server.network === undefined ? null : networkArguments(server.network);
  if (level === 'namespace') {
    const installer = namespaceFilter(run.filter);
    const filter = installer.length > 0 ? run.filter : null;
    const sandbox = namespaceArguments(mounts, { cwd: server.cwd, network, filter });
    return [...common, ...dieWithParent(), ...sandbox, ...installer, ...inside];
  }
  const filter = bubblewrapFilter(run.filter);
  const bubblewrap = [findProgram('bwrap') ?? 'bwrap', ...filter.options];
  const sandbox = [...filter.before, ...bubblewrap, ...bubblewrapArguments(mounts, server.cwd), ...inside];
  return network === null
    ? [...common, ...sandbox]
    : [...common, ...dieWithParent(), ...insideNetwork(network), ...sandbox];
}

/** bubblewrap drops all capabilities, so the sockets of the namespace are opened before it starts. */
const BEFORE_BUBBLEWRAP = `set -eu
${NETWORK_SCRIPT}
exec setpriv --inh-caps=-all --ambient-caps=-all -- "$@"`;

function insideNetwork(network: string[]): string[] {
  const [unshare, shell] = [findProgram('unshare') ?? 'unshare', findProgram('sh') ?? '/bin/sh'];
  const namespaces = ['--user', '--map-current-user', '--keep-caps', '--net', '--'];
  return [unshare, ...namespaces, shell, '-c', BEFORE_BUBBLEWRAP, 'network', ...network];
}

function dieWithParent(...further: string[]): string[] {
  return ifAvailable('setpriv', '--pdeathsig', 'KILL', ...further, '--');
}

/** Children of a service that runs as root must not have root's powers over the processes and files of other users. */
function dropCapabilities(): string[] {
  return process.getuid?.() === 0 ? ['--bounding-set=-all', '--inh-caps=-all'] : [];
}

/** A core dump would hold credentials. Each process may have `openFiles` open, at most as many as the service itself. */
function fileLimits({ openFiles = OPEN_FILES }: ServerLimits = {}): string[] {
  const most = withinOwnLimit(openFiles, 'Max open files');
  return ifAvailable('prlimit', '--core=0:0', `--nofile=${most}:${most}`, '--');
}

/** Stops a fork bomb. Inside a user namespace the limit counts only the server's own processes and threads. */
function processLimit({ processes = MAX_PROCESSES }: ServerLimits = {}): string[] {
  return ifAvailable('prlimit', `--nproc=${withinOwnLimit(processes, 'Max processes')}`, '--');
}

/** Removes the variables that bubblewrap and shells add. (`env` would take a command with `=` for another variable.) */
function withoutShellVariables(command: string): string[] {
  return command.includes('=')
    ? []
    : ifAvailable('env', '-u', 'PWD', '-u', 'OLDPWD', '-u', 'SHLVL', '-u', '_');
}
