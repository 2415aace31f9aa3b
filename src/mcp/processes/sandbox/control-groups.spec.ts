import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ControlGroups, ownControlGroup } from './control-groups.js';

/** A plain folder with the files of a delegated group: what is written can be read, and the kernel does nothing. */
let folder: string;
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'awp-groups-'));
  write('cgroup.type', 'domain\n');
  write('cgroup.controllers', 'cpu io memory pids\n');
  write('cgroup.procs', '');
  write('cgroup.subtree_control', '');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('control groups', () => {
  it('are enabled below the group of the service, which moves into one of its own', async () => {
    await ControlGroups.open(folder);
    expect(read('cgroup.subtree_control')).toBe('+memory +pids +cpu');
    expect(readdirSync(folder)).toContain('service');
  });

  it('limit the memory and the processes of a server', async () => {
    const groups = await ControlGroups.open(folder);
    const group = await groups.create('a', { memoryMb: 100, processes: 20 });
    expect(read('server-a/memory.max')).toBe(String(100 * 1024 * 1024));
    expect([read('server-a/memory.swap.max'), read('server-a/memory.oom.group')]).toEqual(['0', '1']);
    expect(read('server-a/pids.max')).toBe('28');
    const { args } = group.entering('/usr/bin/env', ['x']);
    expect(args.slice(2)).toEqual([join(folder, 'server-a/cgroup.procs'), '/usr/bin/env', 'x']);
    expect(await group.ranOutOfMemory()).toBe(false);
    write('server-a/memory.events', 'max 3\noom 1\noom_kill 2\n');
    expect(await group.ranOutOfMemory()).toBe(true);
  });

  it('remove those that an earlier run left behind', async () => {
    mkdirSync(join(folder, 'server-old'));
    await ControlGroups.open(folder);
    expect(readdirSync(folder)).not.toContain('server-old');
  });

  it.each<[string, () => void, RegExp]>([
    ['in the root group', () => rmSync(join(folder, 'cgroup.type')), /root group/],
    [
      'without the controllers',
      () => write('cgroup.controllers', 'cpu\n'),
      /memory and pids are not delegated/,
    ],
    [
      'without the files of a group',
      () => rmSync(join(folder, 'cgroup.subtree_control')),
      /not delegated to the user/,
    ],
    ['beside processes of others', () => write('cgroup.procs', `${process.pid}\n1\n`), /not of the service/],
    ['whose processes stay', () => write('cgroup.procs', `${process.pid}\n`), /could not be moved/],
  ])('are not used %s', async (_, spoil, message) => {
    spoil();
    await expect(ControlGroups.open(folder)).rejects.toThrow(message);
    expect(existing('cgroup.subtree_control')).toBe('');
  });

  it('are not used on a host without them', async () => {
    await expect(ControlGroups.open(null)).rejects.toThrow('this host has no cgroup v2');
  });
});

const existing = (name: string) => (readdirSync(folder).includes(name) ? read(name) : '');

describe("the service's own group", () => {
  const mount = (root: string, point: string) =>
    `30 25 0:26 / /proc rw - proc proc rw\n31 25 0:27 ${root} ${point} rw,nosuid shared:4 - cgroup2 cgroup2 rw`;

  it('is found below the mounted tree, on the host and in a container', () => {
    const unit = '0::/system.slice/awp.service\n';
    expect(ownControlGroup(mount('/', '/sys/fs/cgroup'), unit)).toBe(
      '/sys/fs/cgroup/system.slice/awp.service',
    );
    const inside = mount('/system.slice/docker-1.scope', '/sys/fs/cgroup');
    expect(ownControlGroup(inside, '0::/system.slice/docker-1.scope/a\n')).toBe('/sys/fs/cgroup/a');
    expect(ownControlGroup(inside, '0::/system.slice/other\n')).toBe(null);
  });

  it('is missing where only cgroup v1 is mounted', () => {
    expect(ownControlGroup('31 25 0:27 / /sys/fs/cgroup rw - cgroup cgroup rw', '0::/a\n')).toBe(null);
    expect(ownControlGroup(mount('/', '/sys/fs/cgroup'), '4:memory:/a\n')).toBe(null);
  });
});
