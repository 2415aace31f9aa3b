import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pypiFetcher, type PythonTools } from '../../../src/mcp/packages/fetch-pypi.js';
import { PackageInstaller, type InstallableEntry } from '../../../src/mcp/packages/package-installer.js';
import { HostEnvironment } from '../../../src/mcp/runtime/host-environment.js';
import { RuntimeService } from '../../../src/mcp/runtime/runtime.service.js';

const run = promisify(execFile);
const inFull = process.env.TEST_SIZE === 'full' ? it : it.skip;
type Refused = [what: string, attempt: () => Promise<unknown>, message: RegExp];

/** Builds a wheel: a module with a `main`, its metadata and a program of its name. */
const buildWheel = `
import sys, zipfile
folder, name, requires, version = sys.argv[1:5]
module, info = name.replace('-', '_'), f"{name.replace('-', '_')}-{version}.dist-info"
metadata = f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n' + (f'Requires-Dist: {requires}\\n' if requires else '')
files = {
  f'{module}/__init__.py': f'def main():\\n  print("{name} runs")\\n',
  f'{module}/__main__.py': f'import {requires.replace("-", "_") or "sys"}\\nfrom . import main\\nmain()\\n',
  f'{info}/METADATA': metadata,
  f'{info}/WHEEL': 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n',
  f'{info}/entry_points.txt': f'[console_scripts]\\n{name} = {module}:main\\n',
}
files[f'{info}/RECORD'] = ''.join(f'{path},,\\n' for path in [*files, f'{info}/RECORD'])
with zipfile.ZipFile(f'{folder}/{module}-{version}-py3-none-any.whl', 'w') as wheel:
  for path, text in files.items(): wheel.writestr(path, text)
`;

/** What pipx does with these arguments and folders, for a host that lacks it. */
const standInForPipx = `#!/bin/sh
set -e
[ "$1 $2" = 'install --python' ]
"$3" -m venv "$PIPX_HOME/venvs/acme-mcp"
"$PIPX_HOME/venvs/acme-mcp/bin/python" -m pip install \${4#--pip-args=} "$5"
mkdir -p "$PIPX_BIN_DIR"
ln -s "$PIPX_HOME/venvs/acme-mcp/bin/acme-mcp" "$PIPX_BIN_DIR/acme-mcp"
`;

let folder: string;
let dataFolder: string;
let integrity: string;
let tools: PythonTools & { python: string };
const never = new AbortController().signal;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-python-'));
  dataFolder = join(folder, 'data');
  const host = new HostEnvironment(process.env);
  const { python, pipx } = await new RuntimeService(host).report();
  if (!python.detected) throw new Error('These tests need Python 3 with its venv module.');
  await mkdir(join(folder, 'wheels'));
  await run(python.path, ['-c', buildWheel, join(folder, 'wheels'), 'acme-mcp', 'acme-dep', '1.0.0']);
  await run(python.path, ['-c', buildWheel, join(folder, 'wheels'), 'acme-dep', '', '1.0.0']);
  const wheel = await readFile(join(folder, 'wheels', 'acme_mcp-1.0.0-py3-none-any.whl'));
  integrity = `sha256-${createHash('sha256').update(wheel).digest('base64')}`;
  await writeFile(join(folder, 'pipx'), standInForPipx);
  await chmod(join(folder, 'pipx'), 0o755);
  tools = { python: python.path, pipx: pipx.detected ? pipx.path : join(folder, 'pipx') };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An index that is the folder of wheels, given as an operator gives it: by pip's own variables. */
function anInstaller(given: Partial<PythonTools> = {}, more: Record<string, string> = {}): PackageInstaller {
  const index = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: join(folder, 'wheels') };
  const host = new HostEnvironment({ PATH: process.env.PATH, HOME: process.env.HOME, ...index, ...more });
  const pypi = pypiFetcher(host, async () => ({ ...tools, ...given }));
  return new PackageInstaller(
    { dataFolder, limitMs: 60_000 },
    { npm: () => Promise.reject(new Error('not npm')), pypi },
  );
}

function anEntry(pin: object = {}, runtime: 'python' | 'pipx' = 'python'): InstallableEntry {
  const exact = { registry: 'pypi' as const, name: 'acme-mcp', version: '1.0.0', integrity, ...pin };
  return { runtime, manifest: { package: exact, runInstallScripts: false } };
}

const install = (
  entry: InstallableEntry,
  installer = anInstaller(),
  serverId = 'server-1',
  lock: string | null = null,
) => installer.install({ serverId, entry, lock, log: () => {} }, never);

describe('installing a package of PyPI', () => {
  it('makes a virtual environment that runs it with what it depends on', async () => {
    const { installDir } = await install(
      anEntry(),
      anInstaller({}, { PIP_USER: '1', PIP_TARGET: join(folder, 'elsewhere') }),
    );
    const { stdout } = await run(join(installDir!, 'venv/bin/python'), ['-m', 'acme_mcp']);
    expect(stdout).toBe('acme-mcp runs\n');
    expect((await run(join(installDir!, 'venv/bin/acme-mcp'))).stdout).toBe('acme-mcp runs\n');
    expect((await readdir(installDir!)).toSorted()).toEqual(['installed.json', 'venv']);
  });

  it('puts the programs into bin by pipx', async () => {
    const { installDir } = await install(anEntry({}, 'pipx'), anInstaller(), 'server-2');
    expect((await run(join(installDir!, 'bin/acme-mcp'))).stdout).toBe('acme-mcp runs\n');
    expect(existsSync(join(installDir!, 'venv'))).toBe(false);
  });

  inFull.each(['python', 'pipx'] as const)('by its lock is the same again (%s)', async (runtime) => {
    const { lock } = await install(anEntry({}, runtime), anInstaller(), `server-3-${runtime}`);
    expect(lock).toBe('acme-dep==1.0.0\nacme-mcp==1.0.0\n');
    await run(tools.python, ['-c', buildWheel, join(folder, 'wheels'), 'acme-dep', '', '1.1.0']);
    const locks = [lock, null].map(async (given, at) => {
      const again = await install(anEntry({}, runtime), anInstaller(), `server-${4 + at}-${runtime}`, given);
      return again.lock;
    });
    expect(await Promise.all(locks)).toEqual([lock, 'acme-dep==1.1.0\nacme-mcp==1.0.0\n']);
    await rm(join(folder, 'wheels', 'acme_dep-1.1.0-py3-none-any.whl'));
  });

  const away = { PIP_NO_INDEX: '0', PIP_FIND_LINKS: '', PIP_INDEX_URL: 'http://127.0.0.1:1/' };
  const otherIntegrity = `sha256-${Buffer.alloc(32).toString('base64')}`;

  it.each<Refused>([
    ['of other bytes', () => install(anEntry({ integrity: otherIntegrity })), /integrity differs/],
    ['without Python', () => install(anEntry(), anInstaller({ python: null })), /Python 3 was not found/],
    ['without pipx', () => install(anEntry({}, 'pipx'), anInstaller({ pipx: null })), /pipx was not found/],
    // Each makes a virtual environment first, which takes seconds.
    ...slow([
      ['that the index lacks', () => install(anEntry({ version: '9.9.9' })), /no such package or version/],
      ['of an index that is away', () => install(anEntry(), anInstaller({}, away)), /could not be reached/],
    ]),
  ])('refuses one %s, and leaves nothing behind', async (_, attempt, message) => {
    await rm(dataFolder, { recursive: true, force: true });
    const expected = { code: 'package_unavailable', message: expect.stringMatching(message) };
    await expect(attempt()).rejects.toEqual(expect.objectContaining(expected));
    expect(await readdir(join(dataFolder, 'mcp/servers')).catch(() => [])).toEqual([]);
  });
});

/** Rows that only the full size of the tests has. */
function slow(rows: Refused[]): Refused[] {
  return process.env.TEST_SIZE === 'full' ? rows : [];
}
