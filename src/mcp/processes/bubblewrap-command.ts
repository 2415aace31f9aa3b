import { statSync } from 'node:fs';
import type { Mount } from './mount-plan.js';

/**
 * The arguments of bubblewrap that build a sandbox from `mounts`: own PID, IPC, user and host name namespaces,
 * no capabilities, own session, everything ended with the service. The network stays the host's: a server has
 * to reach its back end. Secrets are in the environment, never among these arguments, which all of the host sees.
 */
export function bubblewrapArguments(mounts: readonly Mount[], cwd: string): string[] {
  const hidden = mounts.filter((mount) => mount.kind === 'hidden' && statSync(mount.target).isDirectory());
  return [
    ...NAMESPACES.split(' '),
    ...mounts.flatMap(mountArguments),
    ...['--proc', '/proc', ...KERNEL_SWITCHES.flatMap((path) => ['--ro-bind-try', path, path])],
    ...['--dev', '/dev', '--size', String(SHARED_MEMORY_BYTES), '--tmpfs', '/dev/shm'],
    ...['--dir', '/run', '--dir', '/var/tmp'],
    ...['/dev', ...hidden.map((mount) => mount.target), '/'].flatMap((target) => ['--remount-ro', target]),
    ...['--chdir', cwd, '--'],
  ];
}

function mountArguments(mount: Mount): string[] {
  if (mount.kind === 'link') return ['--symlink', mount.to, mount.target];
  if (mount.kind === 'read-only') return ['--ro-bind', mount.source, mount.target];
  if (mount.kind === 'writable') return ['--bind', mount.source, mount.target];
  return statSync(mount.target).isDirectory()
    ? ['--tmpfs', mount.target]
    : ['--ro-bind', '/dev/null', mount.target];
}

const NAMESPACES =
  '--die-with-parent --new-session --unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try ' +
  '--cap-drop ALL';

const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

/** A service that runs as root would leave them writable: their files belong to root, which needs no capability. */
const KERNEL_SWITCHES = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus'];
