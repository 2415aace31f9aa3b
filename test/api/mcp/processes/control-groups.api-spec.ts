import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import {
  ControlGroups,
  isRootGroup,
  ownControlGroup,
} from '../../../../src/mcp/processes/sandbox/control-groups.js';
import { aDataDir, LEVELS } from './fake-servers.js';
import { aPoliteServer, aSupervisor, call, shutDownAll } from './supervisors.js';

const data = aDataDir();
afterEach(shutDownAll);
afterAll(data.drop);

/**
 * The tree of this host, where its root group can be divided for a test. Its controllers may be those of cgroup v1, so
 * that there are groups and no limits.
 */
const own = ownControlGroup();
const root = own !== null && isRootGroup(own) && process.getuid?.() === 0 ? own : null;

describe('control groups of the kernel', () => {
  const onHost = root === null ? it.skip : it;
  onHost('hold a server from its first program on, and are gone when it has ended', async () => {
    const folder = join(root!, `awp-test-${process.pid}`);
    mkdirSync(folder);
    const built = new URL('../../../../dist/src/mcp/processes/sandbox/control-groups.js', import.meta.url)
      .href;
    const script = `const { ControlGroups } = await import(process.argv[1]);
      const { execFileSync } = await import('node:child_process');
      const { readFileSync, readdirSync } = await import('node:fs');
      const groups = await ControlGroups.open(undefined, []);
      const group = await groups.create('x', {});
      const { command, args } = group.entering('/bin/sh', ['-c', 'cat /proc/self/cgroup | grep ^0::']);
      const server = execFileSync(command, args, { encoding: 'utf8' });
      await group.remove();
      const service = readFileSync('/proc/self/cgroup', 'utf8').split('\\n').find((line) => line.startsWith('0::'));
      console.log(JSON.stringify({ server: server.trim(), service, left: readdirSync(process.argv[2]) }));`;
    const enter = 'echo $$ >"$0/cgroup.procs" && exec "$@"';
    const service = [process.execPath, '--input-type=module', '-e', script, built, folder];
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', enter, folder, ...service]);
    const said = JSON.parse(stdout) as { server: string; service: string; left: string[] };
    const path = `0::/awp-test-${process.pid}`;
    expect(said).toMatchObject({ server: `${path}/server-x`, service: `${path}/service` });
    expect(said.left).not.toContain('server-x');
    rmdirSync(join(folder, 'service'));
    rmdirSync(folder);
  });
});

describe('a server in a control group', () => {
  const groupFiles = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'awp-group-'));
    for (const [name, text] of [
      ['cgroup.type', 'domain'],
      ['cgroup.controllers', 'memory pids'],
      ['cgroup.procs', ''],
      ['cgroup.subtree_control', ''],
    ] as const)
      writeFileSync(join(folder, name), text);
    return folder;
  };

  it.each(LEVELS)(
    'enters it before anything of it runs, and its end by the kernel has that reason (%s)',
    async (sandbox) => {
      const folder = groupFiles();
      const controlGroups = await ControlGroups.open(folder);
      const supervisor = aSupervisor(data.path, { sandbox, controlGroups, processMemoryMb: 900 });
      const server = aPoliteServer(data.path, { limits: { processes: 100 } });
      const waiting = call(supervisor, server, 'wait', { ms: 60_000 });
      waiting.catch(() => undefined);
      await call(supervisor, server, 'echo');
      const [group = ''] = readdirSync(folder).filter((name) => name.startsWith('server-'));
      const read = (name: string) => readFileSync(join(folder, group, name), 'utf8').trim();
      expect(read('cgroup.procs')).toBe(String(supervisor.live()[0]?.pid));
      expect(read('memory.max')).toBe(String(900 * 2 ** 20));
      expect(read('pids.max')).toBe('108');
      // What the kernel does when the memory of the group is used up.
      writeFileSync(join(folder, group, 'memory.events'), 'oom_kill 1\n');
      process.kill(supervisor.live()[0]?.pid ?? 0, 'SIGKILL');
      await expect(waiting).rejects.toMatchObject({
        reason: expect.stringContaining('used more memory than its limit and was ended by the kernel'),
      });
      await shutDownAll();
      rmSync(folder, { recursive: true });
      expect(existsSync(folder)).toBe(false);
    },
  );
});
