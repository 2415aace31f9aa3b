import { bubblewrapArguments } from './bubblewrap-command.js';
import { findTool, ifThere } from './host-tools.js';
import { mountPlan } from './mount-plan.js';
import { namespaceArguments } from './namespace-command.js';
import type { RunFolder } from './run-folder.js';
import type { SandboxLevel } from './sandbox-level.js';
import type { StdioServer } from './server-description.js';

/**
 * The program and arguments that start a server at a sandbox level. Every wrapper replaces itself by the next
 * one, so that the process which is spawned stays the one to watch.
 *
 * At all levels: no core dumps (they would hold credentials), the first to go when the host runs out of memory,
 * and dead when the service dies.
 */
export function launchCommand(
  level: SandboxLevel,
  server: StdioServer,
  run: RunFolder,
  hidden: readonly string[],
): string[] {
  const common = [...ifThere('prlimit', '--core=0:0', '--'), ...ifThere('choom', '-n', '500', '--')];
  const program = [server.command, ...server.args];
  if (level === 'process-group')
    return [...common, ...dieWithParent('--no-new-privs', ...dropCapabilities()), ...program];
  const mounts = mountPlan(server, run, hidden);
  const inside = [...processLimit(), ...withoutShellVariables(server.command), ...program];
  return level === 'bubblewrap'
    ? [...common, findTool('bwrap') ?? 'bwrap', ...bubblewrapArguments(mounts, server.cwd), ...inside]
    : [...common, ...dieWithParent(), ...namespaceArguments(mounts, server.cwd), ...inside];
}

function dieWithParent(...further: string[]): string[] {
  return ifThere('setpriv', '--pdeathsig', 'KILL', ...further, '--');
}

/** Where the service runs as root its children need not have root's powers over other users' processes and files. */
function dropCapabilities(): string[] {
  return process.getuid?.() === 0 ? ['--bounding-set=-all', '--inh-caps=-all'] : [];
}

/** Inside a user namespace this counts the server's own processes and threads alone: a fork bomb ends there. */
function processLimit(): string[] {
  return ifThere('prlimit', `--nproc=${MAX_PROCESSES}`, '--');
}

/** bubblewrap and shells leave variables of theirs behind. (To `env`, a command with `=` would be one more.) */
function withoutShellVariables(command: string): string[] {
  return command.includes('=') ? [] : ifThere('env', '-u', 'PWD', '-u', 'OLDPWD', '-u', 'SHLVL', '-u', '_');
}

/** A browser with its helpers needs a few hundred. */
const MAX_PROCESSES = 1024;
