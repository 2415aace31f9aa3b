import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { descendantsOf, readProcessTable } from '../supervision/process-table-and-folder-bytes.js';
import { findProgram } from './host-programs.js';

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

/** What the group of one server may use. */
export interface GroupLimits {
  memoryMb?: number;
  processes?: number;
}

const NEEDED = ['memory', 'pids'];
const PREFIX = 'server-';
/** The wrappers of a sandbox and their threads, beside those of the server. */
const WRAPPERS = 8;
const MOVE_ROUNDS = 20;
const REMOVE_ROUNDS = 40;
const REMOVE_MS = 25;

/** Control groups are not there for this service; the message says why. */
export class NoControlGroups extends Error {}

/**
 * A group per server (cgroup v2) below the group of the service, in which the kernel itself limits memory, with memfd, pipes
 * and tmpfs, and the number of processes. It needs a group that belongs to the service alone: a unit of systemd with
 * `Delegate=memory pids cpu`. Groups with limits must be empty themselves, so the service moves into one below its own (decision
 * 0035).
 */
export class ControlGroups {
  private constructor(private readonly folder: string) {}

  /**
   * @param needed the controllers that must be delegated
   * @throws {NoControlGroups} where this service has no group to divide
   */
  static async open(folder = ownControlGroup(), needed: readonly string[] = NEEDED): Promise<ControlGroups> {
    if (folder === null) throw new NoControlGroups('this host has no cgroup v2');
    if (isRootGroup(folder)) throw new NoControlGroups('the service is in the root group');
    const offered = await contentOf(folder, 'cgroup.controllers');
    if (!needed.every((name) => offered.includes(name)))
      throw new NoControlGroups(`the controllers ${needed.join(' and ')} are not delegated`);
    if (!['', 'cgroup.procs', 'cgroup.subtree_control'].every((name) => isWritable(join(folder, name))))
      throw new NoControlGroups('the group is not delegated to the user of the service');
    await moveService(folder);
    const enabled = [...needed, 'cpu'].filter((name) => offered.includes(name)).map((name) => `+${name}`);
    if (enabled.length > 0) await writeFile(join(folder, 'cgroup.subtree_control'), enabled.join(' '));
    const groups = new ControlGroups(folder);
    await groups.removeEmpty();
    return groups;
  }

  async create(name: string, limits: GroupLimits): Promise<ControlGroup> {
    const folder = join(this.folder, `${PREFIX}${name}`);
    await mkdir(folder);
    const group = new ControlGroup(folder, limits);
    try {
      await group.limit();
      return group;
    } catch (error) {
      await group.remove();
      throw error;
    }
  }

  /** Removes the groups of an earlier run. */
  private async removeEmpty(): Promise<void> {
    const groups = (await readdir(this.folder)).filter((name) => name.startsWith(PREFIX));
    // A group in use cannot be removed: it is another process's of the service.
    await Promise.all(groups.map((name) => rmdir(join(this.folder, name)).catch(() => undefined)));
  }
}

/** The group of one start of a server. */
export class ControlGroup {
  constructor(
    private readonly folder: string,
    private readonly limits: GroupLimits,
  ) {}

  /** Writes the limits. All processes of a group end together when the memory is used up. */
  async limit(): Promise<void> {
    const { memoryMb, processes } = this.limits;
    if (processes !== undefined) await this.set('pids.max', processes + WRAPPERS);
    if (memoryMb === undefined) return;
    await this.set('memory.max', memoryMb * 2 ** 20);
    // A kernel without the accounting of swap lacks the first file, an old one the second.
    await this.set('memory.swap.max', 0).catch(() => undefined);
    await this.set('memory.oom.group', 1).catch(() => undefined); // As above.
  }

  /** Returns a command that enters the group and executes `command` in its place. */
  entering(command: string, args: readonly string[]): { command: string; args: string[] } {
    const shell = findProgram('sh') ?? '/bin/sh';
    const script = 'echo $$ >"$0" && unset PWD OLDPWD SHLVL && exec "$@"';
    return { command: shell, args: ['-c', script, join(this.folder, 'cgroup.procs'), command, ...args] };
  }

  /** Whether the kernel ended processes of the group because its memory was used up. */
  async ranOutOfMemory(): Promise<boolean> {
    // A group without the controller, or one that is gone, has no such file.
    const events = await readFile(join(this.folder, 'memory.events'), 'utf8').catch(() => '');
    return /^oom_kill [1-9]/m.test(events);
  }

  /** Removes the group once its last process is gone; the kernel takes a moment after the end of each. */
  async remove(): Promise<void> {
    for (let round = 0; round < REMOVE_ROUNDS; round += 1) {
      const done = await rmdir(this.folder).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
      );
      if (done) return;
      await delay(REMOVE_MS);
    }
  }

  private async set(name: string, value: number): Promise<void> {
    await writeFile(join(this.folder, name), String(value));
  }
}

/** Moves the service and its children, such as the embedded database, out of the group that gets limits for its parts. */
async function moveService(folder: string): Promise<void> {
  const own = join(folder, 'service');
  await mkdir(own, { recursive: true });
  for (let round = 0; round < MOVE_ROUNDS; round += 1) {
    const members = (await contentOf(folder, 'cgroup.procs')).map(Number);
    if (members.length === 0) return;
    await refuseOthers(members);
    // One that has ended meanwhile needs no move; others are moved by the next round.
    for (const pid of members) await writeFile(join(own, 'cgroup.procs'), String(pid)).catch(() => undefined);
  }
  throw new NoControlGroups('the processes of the group could not be moved');
}

/** A terminal or a container shares its group with others, and dividing it would concern them. */
async function refuseOthers(members: readonly number[]): Promise<void> {
  const ours = descendantsOf(process.pid, await readProcessTable()).map(({ pid }) => pid);
  const others = members.filter((pid) => pid !== process.pid && !ours.includes(pid));
  if (others.length > 0) throw new NoControlGroups('the group has processes that are not of the service');
}

async function contentOf(folder: string, name: string): Promise<string[]> {
  return (await readFile(join(folder, name), 'utf8')).split(/\s+/).filter((word) => word !== '');
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    // It is missing or belongs to somebody else.
    return false;
  }
}
