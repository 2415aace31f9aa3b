import { NETWORK_SCRIPT, networkArguments } from '../network/namespace-sockets.js';
import { bubblewrapArguments } from './bubblewrap-command.js';
import { bubblewrapFilter, namespaceFilter } from './filter-command.js';
import { findProgram, ifAvailable } from './host-programs.js';
import { mountPlan } from './mount-plan.js';
import { namespaceArguments } from './namespace-command.js';
import type { RunFolder } from './run-folder.js';
import type { SandboxLevel } from './sandbox-level.js';
import { withinOwnLimit } from './own-limits.js';
import type { StdioServer } from '../server-description.js';
import type { ServerLimits } from '../server-limits.js';

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
