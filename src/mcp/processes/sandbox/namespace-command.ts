import { readFileSync, statSync } from 'node:fs';
import { NETWORK_SCRIPT } from '../network/permitted-hosts-and-ports.js';
import { findProgram } from './host-programs.js';
import { contains, type Mount } from './mount-plan.js';
import { FILTER_DESCRIPTOR } from './system-call-filter.js';

const NAMESPACES = '--user --map-root-user --mount --pid --ipc --uts --fork --kill-child=KILL';

/**
 * The shell stays as process 1 of the namespace, reaps orphans and ends with the server, whereupon the kernel ends
 * everything else inside. The new /proc is mounted while the old one is still there, which the kernel requires, and its
 * kernel switches are made read-only. Inside, the service's user is root for the time being, which mount(8) requires.
 * Before the server starts it becomes itself again in another user namespace, where it has no power over the mounts. A
 * service that is root stays root, without capabilities.
 */
const script = (network: boolean): string => `set -eu
${network ? NETWORK_SCRIPT : ''}
base=$1 cwd=$2 uid=$3 gid=$4 filter=$5; shift 5
[ -z "$filter" ] || exec ${FILTER_DESCRIPTOR}<"$filter"
mount -t tmpfs -o mode=0755,nosuid,nodev,size=4m tmpfs "$base"
cd "$base"; mkdir -p old proc dev run var/tmp tmp
seal=
while [ "$1" != end ]; do
  kind=$1 source=$2 target=$3 options=$4; shift 4
  if [ "$kind" = link ]; then ln -s "$source" ".$target"; continue; fi
  if [ "$kind" = hidden ]; then
    mkdir -p ".$target"; mount -t tmpfs -o mode=0755,nosuid,nodev,size=4m tmpfs ".$target"; seal="$seal$target
"; continue
  fi
  if [ -d "$source" ]; then mkdir -p ".$target"
  elif [ ! -e ".$target" ]; then mkdir -p ".\${target%/*}"; : > ".$target"; fi
  mount -o "$options" "$source" ".$target"
done
shift
mount -t tmpfs -o mode=0755,nosuid,size=1m tmpfs dev
for name in null zero full random urandom tty; do : > dev/$name; mount --bind /dev/$name dev/$name; done
ln -s /proc/self/fd dev/fd; ln -s /proc/self/fd/0 dev/stdin; ln -s /proc/self/fd/1 dev/stdout; ln -s /proc/self/fd/2 dev/stderr
mkdir dev/shm; mount -t tmpfs -o mode=1777,nosuid,nodev,size=64m tmpfs dev/shm
mount -t proc -o nosuid,nodev,noexec proc proc
# The server gets no further user namespace, in which it would have every capability; one is ours, see below.
if [ "$uid" = 0 ]; then echo 0; else echo 1; fi > proc/sys/user/max_user_namespaces
for name in sys sysrq-trigger irq bus; do
  if [ -e proc/$name ]; then mount --bind proc/$name proc/$name; mount -o remount,bind,ro,nosuid,nodev,noexec proc/$name; fi
done
pivot_root . old
cd /
umount -l /old; rmdir /old
printf %s "$seal" | while IFS= read -r target; do mount -o remount,bind,ro,nosuid,nodev "$target"; done
mount -o remount,bind,ro,nosuid dev
mount -o remount,bind,ro,nosuid,nodev /
cd "$cwd"
exec 3<&0 4>&1 0</dev/null 1>&2
if [ "$uid" = 0 ]; then set -- setpriv --bounding-set=-all --inh-caps=-all --no-new-privs -- setsid -- "$@"
else set -- unshare --user --map-user="$uid" --map-group="$gid" -- setpriv --no-new-privs -- setsid -- "$@"; fi
"$@" 0<&3 1>&4 3<&- 4>&- &
exec 3<&- 4>&- ${FILTER_DESCRIPTOR}<&-
wait $!`;

/**
 * Returns the command that builds the same sandbox as bubblewrap with util-linux and a shell, for hosts without
 * bubblewrap. `unshare` makes the namespaces, and the script makes the file system from the same mount plan.
 */
export function namespaceArguments(
  mounts: readonly Mount[],
  { cwd, network, filter }: { cwd: string; network: readonly string[] | null; filter: string | null },
): string[] {
  const [unshare, shell] = [findProgram('unshare') ?? 'unshare', findProgram('sh') ?? '/bin/sh'];
  const identity = [process.getuid?.(), process.getgid?.()].map(String);
  const namespaces = [...NAMESPACES.split(' '), ...(network ? ['--net'] : [])];
  const given = [
    ...(network ?? []),
    baseFor(mounts),
    cwd,
    ...identity,
    filter ?? '',
    ...mounts.flatMap(step),
    'end',
  ];
  return [unshare, ...namespaces, '--', shell, '-c', script(network !== null), 'sandbox', ...given];
}

/** Returns one step for the script: kind, source, target, mount options. */
function step(mount: Mount): string[] {
  if (mount.kind === 'link') return ['link', mount.to, mount.target, ''];
  if (mount.kind === 'writable') return ['bind', mount.source, mount.target, 'rbind'];
  if (mount.kind === 'read-only') return ['bind', mount.source, mount.target, readOnly(mount.source)];
  return statSync(mount.target).isDirectory()
    ? ['hidden', '', mount.target, '']
    : ['bind', '/dev/null', mount.target, readOnly('/dev/null')];
}

/**
 * Returns the options of a read-only mount. `mount` binds first and then remounts read-only. In a user namespace the
 * kernel refuses a remount that would drop an option of the bound mount (mount_namespaces(7)), so these are repeated.
 */
function readOnly(path: string): string {
  const options = mountOptionsOf(path).filter((option) =>
    /^(nosuid|nodev|noexec|noatime|nodiratime|relatime)$/.test(option),
  );
  return ['rbind', 'ro', ...options].join(',');
}

function mountOptionsOf(path: string): string[] {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' '))
    .map(([, , , , mountPoint = '', options = '']) => ({ mountPoint, options: options.split(',') }))
    .filter(({ mountPoint }) => mountPoint !== '' && contains(mountPoint, path));
  const nearest = mounts.toSorted((a, b) => a.mountPoint.length - b.mountPoint.length).at(-1);
  return nearest?.options ?? [];
}

/** Returns a folder in which the new root is built; none of the sources lies in it. */
function baseFor(mounts: readonly Mount[]): string {
  const sources = mounts.flatMap((mount) => ('source' in mount ? [mount.source] : []));
  const isFree = (folder: string): boolean =>
    statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
    !sources.some((path) => contains(folder, path));
  return ['/mnt', '/media', '/srv', '/boot', '/home', '/run', '/tmp'].find(isFree) ?? '/mnt';
}
