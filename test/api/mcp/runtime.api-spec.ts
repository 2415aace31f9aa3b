import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostEnvironment, RuntimeService } from '../../../src/mcp/runtime/runtime.service.js';
import { until } from '../../support/until.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-runtime-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a service whose PATH has these folders, followed by those that a shell script needs. */
function aService(folders: string[], more: Record<string, string> = {}): RuntimeService {
  const path = folders.map((name) => join(folder, name)).join(':');
  return new RuntimeService(new HostEnvironment({ PATH: path, HOME: folder, ...more }));
}

async function aProgram(name: string, script: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const answering = (name: string, version: string) => aProgram(name, `echo '${version}'`);

describe('the runtime report', () => {
  it('contains the Node that runs the service', async () => {
    const { node } = await aService([]).report();
    expect(node).toEqual({ detected: true, version: process.versions.node, path: process.execPath });
  });

  it('reports a missing runtime as not detected, without other fields', async () => {
    const { python, pipx } = await aService(['a']).report();
    expect([python, pipx]).toEqual([{ detected: false }, { detected: false }]);
  });

  it('contains version and path of a runtime on the PATH', async () => {
    const python = await answering('a/python3', 'Python 3.12.1');
    const pipx = await answering('a/pipx', '1.4.3');
    expect(await aService(['a']).report()).toMatchObject({
      python: { detected: true, version: '3.12.1', path: python },
      pipx: { detected: true, version: '1.4.3', path: pipx },
    });
  });

  it('prefers python3 to python in any order of the PATH', async () => {
    await answering('a/python', 'Python 3.9.0');
    const path = await answering('b/python3', 'Python 3.12.1');
    expect((await aService(['a', 'b']).report()).python).toEqual({ detected: true, version: '3.12.1', path });
  });

  it('uses python if there is no python3, unless it is Python 2', async () => {
    const path = await answering('a/python', 'Python 3.9.0');
    expect((await aService(['a']).report()).python).toEqual({ detected: true, version: '3.9.0', path });
    await answering('b/python', 'Python 2.7.18');
    expect((await aService(['b']).report()).python).toEqual({ detected: false });
  });

  it('skips a shim that prints no version', async () => {
    await aProgram('a/python3', 'echo "no version is set" >&2; exit 127');
    const path = await answering('b/python3', 'Python 3.12.1');
    expect((await aService(['a', 'b']).report()).python).toMatchObject({ detected: true, path });
  });

  it('skips files that are not programs', async () => {
    await mkdir(join(folder, 'a/python3'), { recursive: true });
    await mkdir(join(folder, 'b'));
    await writeFile(join(folder, 'b/python3'), 'text');
    await aProgram('c/python3', 'exit 0');
    expect((await aService(['a', 'b', 'c']).report()).python).toEqual({ detected: false });
  });

  it('skips relative folders of the PATH, which every program resolves differently', async () => {
    const python = await answering('a/python3', 'Python 3.12.1');
    const PATH = relative(process.cwd(), dirname(python));
    expect((await new RuntimeService(new HostEnvironment({ PATH, HOME: folder })).report()).python).toEqual({
      detected: false,
    });
  });

  it('gives up on a program that hangs and ends its descendants', async () => {
    await aProgram('a/python3', `PATH=/usr/bin:/bin; sleep 600 & echo $! > ${folder}/pid; wait`);
    expect((await aService(['a']).report()).python).toEqual({ detected: false });
    const pid = (await readFile(join(folder, 'pid'), 'utf8')).trim();
    await until(async () => !(await readdir('/proc')).includes(pid));
  });

  it('does not wait for a process that a program leaves running', async () => {
    await aProgram(
      'a/python3',
      `PATH=/usr/bin:/bin; sleep 600 & echo $! > ${folder}/pid; echo Python 3.12.1`,
    );
    expect((await aService(['a']).report()).python).toMatchObject({ detected: true, version: '3.12.1' });
    const pid = (await readFile(join(folder, 'pid'), 'utf8')).trim();
    await until(async () => !(await readdir('/proc')).includes(pid));
  });

  it('hides the environment of the service from the programs that it runs', async () => {
    await aProgram('a/python3', `/usr/bin/env > ${folder}/seen; echo Python 3.12.1`);
    await aService(['a'], { ENCRYPTION_KEYS: 'k1:topsecret' }).report();
    expect(await readFile(join(folder, 'seen'), 'utf8')).not.toContain('topsecret');
  });
});

describe('the cache of the runtime report', () => {
  const looks = async () => (await readFile(join(folder, 'looks'), 'utf8')).trim().split('\n').length;
  let service: RuntimeService;
  beforeEach(async () => {
    await aProgram('a/python3', `echo look >> ${folder}/looks; echo Python 3.12.1`);
    service = aService(['a']);
  });

  it('returns the same report to later requests', async () => {
    expect(await service.report()).toEqual(await service.report());
    expect(await looks()).toBe(1);
  });

  it('is replaced by a refresh', async () => {
    await service.report();
    await rm(join(folder, 'a/python3'));
    expect((await service.report()).python.detected).toBe(true);
    expect((await service.report(true)).python).toEqual({ detected: false });
    expect((await service.report()).python).toEqual({ detected: false });
  });

  it('serves concurrent requests with one probe', async () => {
    await Promise.all([service.report(), service.report(true), service.report(), service.report(true)]);
    expect(await looks()).toBe(1);
  });
});
