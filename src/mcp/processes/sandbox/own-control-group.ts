import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/**
 * Returns the folder of this process's control group (cgroup v2); null on a host without them. In a container the mounted
 * tree may begin below the root of the host's.
 */
export function ownControlGroup(
  mounts = textOf('/proc/self/mountinfo'),
  membership = textOf('/proc/self/cgroup'),
): string | null {
  const [, path] = /^0::(\/.*)$/m.exec(membership) ?? [];
  const mount = mounts
    .split('\n')
    .map(mountOf)
    .find(({ type }) => type === 'cgroup2');
  if (path === undefined || mount === undefined) return null;
  const below = relative(mount.root, path);
  return below.startsWith('..') ? null : join(mount.point, below);
}

/** Whether a group is the root of its tree, which has no limits and belongs to the host. */
export function isRootGroup(folder: string): boolean {
  return !existsSync(join(folder, 'cgroup.type'));
}

function mountOf(line: string): { root: string; point: string; type: string } {
  const [before = '', after = ''] = line.split(' - ');
  const [, , , root = '', point = ''] = before.split(' ');
  return { root, point, type: after.split(' ')[0] ?? '' };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // A host without /proc has no control groups.
    return '';
  }
}
