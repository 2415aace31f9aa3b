import { spawnSync } from 'node:child_process';
import { findProgram } from './host-programs.js';
import { statSync } from 'node:fs';
import type { Mount } from './mount-plan.js';

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
