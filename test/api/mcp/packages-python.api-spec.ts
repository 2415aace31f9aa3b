import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pypiFetcher, type PythonPrograms } from '../../../src/mcp/packages/install-pypi-package.js';
import { type InstallableEntry, PackageInstaller } from '../../../src/mcp/packages/package-installer.js';
import { PackageSandbox } from '../../../src/mcp/packages/package-sandbox.js';
import { probeSandbox } from '../../../src/mcp/processes/sandbox/sandbox-probe.js';
import { HostEnvironment, RuntimeService } from '../../../src/mcp/runtime/runtime.service.js';

const run = promisify(execFile);
type Refused = [what: string, attempt: () => Promise<unknown>, message: RegExp];

/** Builds a wheel with a module that has a `main`, its metadata and a program of the same name. */
const wheelBuilder = `
import sys, zipfile
folder, name, requires, version, pth = (sys.argv[1:] + [''])[:5]
module, info = name.replace('-', '_'), f"{name.replace('-', '_')}-{version}.dist-info"
metadata = f'Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n' + (f'Requires-Dist: {requires}\\n' if requires else '')
files = {
  f'{module}/__init__.py': f'def main():\\n  print("{name} runs")\\n',
  f'{module}/__main__.py': f'import {requires.replace("-", "_") or "sys"}\\nfrom . import main\\nmain()\\n',
  f'{info}/METADATA': metadata,
  f'{info}/WHEEL': 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n',
  f'{info}/entry_points.txt': f'[console_scripts]\\n{name} = {module}:main\\n',
}
if pth: files[f'zz_{module}.pth'] = f"import pathlib; pathlib.Path('{pth}').write_text('ran')\\n"
files[f'{info}/RECORD'] = ''.join(f'{path},,\\n' for path in [*files, f'{info}/RECORD'])
with zipfile.ZipFile(f'{folder}/{module}-{version}-py3-none-any.whl', 'w') as wheel:
  for path, text in files.items(): wheel.writestr(path, text)
`;

let folder: string;
let dataFolder: string;
let integrity: string;
let tools: PythonPrograms & { python: string };
/** In place of the interpreter it copies one virtual environment, because `python -m venv` needs 7 s of a processor. */
let copier: string;
const never = new AbortController().signal;
let level = await probeSandbox('auto');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-python-'));
  dataFolder = join(folder, 'data');
  const host = new HostEnvironment(process.env);
  const { python, pipx } = await new RuntimeService(host).report();
  if (!python.detected) throw new Error('These tests need Python 3 with its venv module.');
  await mkdir(join(folder, 'wheels'));
  // pipx is only looked for: the tests need no pipx of this host.
  tools = { python: python.path, pipx: pipx.detected ? pipx.path : '/usr/bin/pipx' };
  const made = run(tools.python, ['-I', '-m', 'venv', join(folder, 'made/venv')]);
  await buildWheel('acme-mcp', 'acme-dep', '1.0.0');
  await buildWheel('acme-dep', '', '1.0.0');
  await made;
  // The sandbox shows the folder around `bin`, as that of an interpreter.
  copier = join(folder, 'made/bin/python');
  await mkdir(join(folder, 'made/bin'));
  await writeFile(
    copier,
    `#!/bin/sh\nset -e\ntest "$3" = venv\nmkdir -p "$4"\nexec cp -a ${folder}/made/venv/. "$4"\n`,
  );
  await chmod(copier, 0o755);
  integrity = await integrityOf('acme-mcp');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Uses the folder of wheels as the index, set through pip's own variables like an operator would. */
function anInstaller(
  given: Partial<PythonPrograms> = {},
  more: Record<string, string> = {},
): PackageInstaller {
  const index = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: join(folder, 'wheels') };
  const host = new HostEnvironment({ PATH: process.env.PATH, HOME: process.env.HOME, ...index, ...more });
  const sandbox = new PackageSandbox({
    dataFolder,
    cache: join(folder, 'pip-cache'),
    level: async () => level,
  });
  const pypi = pypiFetcher(host, sandbox, async () => ({ ...tools, python: copier, ...given }));
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

const dependency = { name: 'acme-dep', version: '1.0.0', files: [{ filename: 'any.whl', sha256: '' }] };

/** Builds a wheel into the index; `pth` is the path that its .pth file writes when an interpreter executes it. */
const buildWheel = (name: string, requires: string, version: string, pth = '') =>
  run(tools.python, ['-c', wheelBuilder, join(folder, 'wheels'), name, requires, version, pth]);

const wheelOf = (name: string) =>
  readFile(join(folder, 'wheels', `${name.replace('-', '_')}-1.0.0-py3-none-any.whl`));
const digestOf = async (name: string) => createHash('sha256').update(await wheelOf(name));
const hashOf = async (name: string) => `sha256:${(await digestOf(name)).digest('hex')}`;
const integrityOf = async (name: string) => `sha256-${(await digestOf(name)).digest('base64')}`;
const ownLine = async () => `acme-mcp==1.0.0 --hash=${await hashOf('acme-mcp')}`;
const pinOf = async (name: string) => {
  const sha256 = (await hashOf(name)).replace('sha256:', '');
  return { ...dependency, name, files: [{ filename: `${name}.whl`, sha256 }] };
};

/** Writes a source archive that brings its own build backend, the second argument. */
const SOURCE_ARCHIVE = `import io, sys, tarfile
files = {
    "pyproject.toml": '[build-system]\\nrequires = []\\nbuild-backend = "own"\\nbackend-path = ["."]\\n',
    "own.py": sys.argv[2],
    "PKG-INFO": "Metadata-Version: 2.1\\nName: acme-src\\nVersion: 1.0.0\\n",
}
with tarfile.open(sys.argv[1], "w:gz") as archive:
    for name, text in files.items():
        row = tarfile.TarInfo("acme_src-1.0.0/" + name)
        row.size = len(text)
        archive.addfile(row, io.BytesIO(text.encode()))`;

describe('the installation of a PyPI package', () => {
  it('creates a virtual environment that runs it with its dependencies, however pip is configured', async () => {
    const home = join(folder, 'home');
    const file = join(home, '.config/pip/pip.conf');
    await mkdir(join(home, '.config/pip'), { recursive: true });
    await writeFile(file, '[global]\nrequire-virtualenv = nonsense\n');
    const configured = {
      HOME: home,
      PIP_CONFIG_FILE: file,
      PIP_USER: '1',
      PIP_TARGET: join(folder, 'other'),
    };
    const { installDir } = await install(anEntry(), anInstaller({ python: tools.python }, configured));
    const { stdout } = await run(join(installDir!, 'venv/bin/python'), ['-m', 'acme_mcp']);
    expect(stdout).toBe('acme-mcp runs\n');
    expect((await run(join(installDir!, 'venv/bin/acme-mcp'))).stdout).toBe('acme-mcp runs\n');
    expect((await readdir(installDir!)).toSorted()).toEqual(['installed.json', 'venv']);
  });

  it('puts its programs into bin with pipx', async () => {
    const { installDir } = await install(anEntry({}, 'pipx'), anInstaller(), 'server-2');
    expect((await run(join(installDir!, 'bin/acme-mcp'))).stdout).toBe('acme-mcp runs\n');
    expect(existsSync(join(installDir!, 'venv'))).toBe(false);
  });

  it.each(['python', 'pipx'] as const)(
    'stores the hashes of its closure, by which it is installed again (%s)',
    async (runtime) => {
      const { lock } = await install(anEntry({}, runtime), anInstaller(), `server-3-${runtime}`);
      expect(lock).toBe(`acme-dep==1.0.0 --hash=${await hashOf('acme-dep')}\n${await ownLine()}\n`);
      await buildWheel('acme-dep', '', '1.1.0');
      const again = await install(anEntry({}, runtime), anInstaller(), `server-4-${runtime}`, lock);
      expect(again.lock).toBe(lock);
      await rm(join(folder, 'wheels', 'acme_dep-1.1.0-py3-none-any.whl'));
    },
  );

  it('takes the versions of a lock without hashes, which an earlier release stored', async () => {
    await buildWheel('acme-dep', '', '1.1.0');
    const old = 'acme-dep==1.0.0\nacme-mcp==1.0.0\n';
    const { lock } = await install(anEntry(), anInstaller(), 'server-5', old);
    expect(lock).toBe(`acme-dep==1.0.0 --hash=${await hashOf('acme-dep')}\n${await ownLine()}\n`);
    await rm(join(folder, 'wheels', 'acme_dep-1.1.0-py3-none-any.whl'));
  });

  it("installs the entry's closure and nothing that the index adds to it", async () => {
    const entry = anEntry({ closure: [await pinOf('acme-dep')] });
    await buildWheel('acme-dep', '', '1.1.0');
    const { installDir, lock } = await install(entry, anInstaller(), 'server-6');
    expect(lock).toContain('acme-dep==1.0.0');
    expect((await run(join(installDir!, 'venv/bin/acme-mcp'))).stdout).toBe('acme-mcp runs\n');
    await rm(join(folder, 'wheels', 'acme_dep-1.1.0-py3-none-any.whl'));
  });

  it.each(['auto', 'off'] as const)(
    'runs no code of the packages, not even a .pth file (sandbox %s)',
    async (setting) => {
      const proof = join(folder, `pth-ran-${setting}`);
      level = await probeSandbox(setting);
      await buildWheel('acme-pth', '', '1.0.0', proof);
      await buildWheel('acme-main', 'acme-pth', '1.0.0');
      const pin = { name: 'acme-main', integrity: await integrityOf('acme-main') };
      let lock: string | null = null;
      for (const runtime of ['python', 'pipx'] as const) {
        const serverId = `server-${setting}-${runtime}`;
        // The second one installs what the first one resolved.
        const installed = await install(anEntry(pin, runtime), anInstaller(), serverId, lock);
        const { installDir } = installed;
        lock = installed.lock;
        expect(existsSync(proof)).toBe(false);
        const bin = runtime === 'pipx' ? 'pipx/venvs/acme-main/bin' : 'venv/bin';
        await run(join(installDir!, bin, 'python'), ['-I', '-c', '']);
        expect(existsSync(proof)).toBe(true);
        await rm(proof);
      }
      level = await probeSandbox('auto');
    },
  );

  it('rejects a dependency that the index offers as a source archive, which runs code to build itself', async () => {
    const proof = join(folder, 'backend-ran');
    const backend = `import pathlib\npathlib.Path(${JSON.stringify(proof)}).touch()\n`;
    await run(tools.python, ['-c', SOURCE_ARCHIVE, join(folder, 'wheels', 'acme_src-1.0.0.tar.gz'), backend]);
    await buildWheel('acme-wants', 'acme-src', '1.0.0');
    const entry = anEntry({ name: 'acme-wants', integrity: await integrityOf('acme-wants') });
    level = await probeSandbox('off');
    await expect(install(entry, anInstaller(), 'server-8')).rejects.toEqual(
      expect.objectContaining({ code: 'package_unavailable' }),
    );
    level = await probeSandbox('auto');
    expect(existsSync(proof)).toBe(false);
  });

  const away = { PIP_NO_INDEX: '0', PIP_FIND_LINKS: '', PIP_INDEX_URL: 'http://127.0.0.1:1/' };
  const otherIntegrity = `sha256-${Buffer.alloc(32).toString('base64')}`;

  it.each<Refused>([
    ['with other bytes', () => install(anEntry({ integrity: otherIntegrity })), /integrity differs/],
    [
      'whose dependency has other bytes than the closure names',
      () =>
        install(
          anEntry({
            closure: [{ ...dependency, files: [{ ...dependency.files[0]!, sha256: 'a'.repeat(64) }] }],
          }),
        ),
      /integrity differs/,
    ],
    [
      'whose dependency has other bytes than the lock names',
      async () =>
        install(
          anEntry(),
          anInstaller(),
          'server-1',
          `acme-dep==1.0.0 --hash=sha256:${'a'.repeat(64)}\n${await ownLine()}\n`,
        ),
      /integrity differs/,
    ],
    [
      'whose lock names another archive of it',
      () =>
        install(anEntry(), anInstaller(), 'server-1', `acme-mcp==1.0.0 --hash=sha256:${'a'.repeat(64)}\n`),
      /integrity differs/,
    ],
    [
      'on a host without Python',
      () => install(anEntry(), anInstaller({ python: null })),
      /Python 3 was not found/,
    ],
    [
      'on a host without pipx',
      () => install(anEntry({}, 'pipx'), anInstaller({ pipx: null })),
      /pipx was not found/,
    ],
    // Each creates a virtual environment first, which takes seconds.
    ...slow([
      ['that the index lacks', () => install(anEntry({ version: '9.9.9' })), /no such package or version/],
      [
        'from an unreachable index',
        () => install(anEntry(), anInstaller({ python: tools.python }, away)),
        /could not be reached/,
      ],
    ]),
  ])('rejects a package %s and leaves nothing behind', async (_, attempt, message) => {
    await rm(dataFolder, { recursive: true, force: true });
    const expected = { code: 'package_unavailable', message: expect.stringMatching(message) };
    await expect(attempt()).rejects.toEqual(expect.objectContaining(expected));
    expect(await readdir(join(dataFolder, 'mcp/servers')).catch(() => [])).toEqual([]);
  });
});

/** Cases that run only in the full test run. */
function slow(rows: Refused[]): Refused[] {
  return process.env.TEST_SIZE === 'full' ? rows : [];
}
