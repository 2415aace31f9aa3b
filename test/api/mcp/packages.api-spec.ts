import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { npmFetcher } from '../../../src/mcp/packages/fetch-npm.js';
import { checkLockfile } from '../../../src/mcp/packages/npm-lockfile.js';
import { PackageInstaller, type InstallableEntry } from '../../../src/mcp/packages/package-installer.js';
import { runTool } from '../../../src/mcp/packages/run-tool.js';
import { HostEnvironment } from '../../../src/mcp/runtime/host-environment.js';
import { until } from '../../support/until.js';
import { PackageRegistry } from './package-registry.js';

const server = 'console.log("a server", require("acme-dep"))';
const files = {
  'index.js': server,
  'script.js': 'require("fs").writeFileSync("ran", JSON.stringify(process.env))',
};
const dependency = { 'index.js': 'module.exports = "with its dependency"' };
const name = '@acme/mcp';

let registry: PackageRegistry;
let folder: string;
let dataFolder: string;
let home: string;
let integrity: string;
let lines: string[];
const log = (line: string) => lines.push(line);
const never = new AbortController().signal;

beforeAll(async () => {
  registry = await PackageRegistry.start();
  await registry.publish({ name: 'acme-dep', version: '2.0.0' }, dependency);
  const scripts = { install: 'node script.js' };
  const dependencies = { 'acme-dep': '^2.0.0' };
  // As packages with a binary for each platform have them; a registry may lack those of the others.
  const optionalDependencies = { 'acme-native': '1.0.0', 'acme-native-elsewhere': '1.0.0' };
  await registry.publish({ name: 'acme-native', version: '1.0.0' }, {});
  integrity = await registry.publish(
    { name, version: '1.0.0', ...{ main: 'index.js', scripts, dependencies, optionalDependencies } },
    files,
  );
});
afterAll(() => registry.stop());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-packages-'));
  dataFolder = join(folder, 'data');
  home = join(folder, 'home');
  await mkdir(home);
  await writeFile(
    join(home, '.npmrc'),
    `registry=${registry.url}\nfetch-retries=0\nomit-lockfile-registry-resolved=true\n`,
  );
  registry.treatment = 'honest';
  registry.requests.length = 0;
  lines = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function anInstaller(more: Record<string, string> = {}, limitMs = 60_000): PackageInstaller {
  const host = new HostEnvironment({ PATH: process.env.PATH, HOME: home, ...more });
  const pypi = () => Promise.reject(new Error('not for npm'));
  return new PackageInstaller(
    { dataFolder, limitMs },
    { npm: npmFetcher(host, join(dataFolder, 'npm-cache')), pypi },
  );
}

function anEntry(pin: object = {}, manifest: object = {}): InstallableEntry {
  const exact = { registry: 'npm' as const, name, version: '1.0.0', integrity, ...pin };
  return { runtime: 'node', manifest: { package: exact, runInstallScripts: false, ...manifest } };
}

const install = (entry = anEntry(), installer = anInstaller(), serverId = 'server-1') =>
  installer.install({ serverId, entry, log }, never);

const archiveRequests = () => registry.requests.filter((path) => path.includes('/-/'));

/** Processes that work in the data folder of this test. */
async function workingThere(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((pid) => /^\d+$/.test(pid));
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return places.filter((place) => place.startsWith(dataFolder));
}

describe('installing a package of npm', () => {
  it('fetches it with what it depends on into a folder of its own, and keeps the lockfile', async () => {
    const { installDir } = await install();
    expect(installDir).toMatch(`${dataFolder}/mcp/servers/server-1/packages/1.0.0-`);
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(installDir!, 'node_modules', name, 'index.js'),
    ]);
    expect(stdout).toBe('a server with its dependency\n');
    const { packages } = JSON.parse(await readFile(join(installDir!, 'package-lock.json'), 'utf8'));
    expect(packages[`node_modules/${name}`].integrity).toBe(integrity);
    expect(packages['node_modules/acme-dep'].integrity).toMatch(/^sha512-/);
    expect(await anInstaller().isInstalled('server-1', anEntry())).toBe(true);
    expect(lines.join('\n')).toMatch(/resolving @acme\/mcp@1\.0\.0[^]*fetching 3 packages[^]*is installed/);
  });

  it('installs the same whatever the operator set npm to do: no scripts, all optional packages, a lockfile', async () => {
    const settings =
      'ignore-scripts=false\noptional=false\npackage-lock=false\nglobal=true\ndry-run=true\ninstall-strategy=linked\n';
    await appendFile(join(home, '.npmrc'), settings);
    const { installDir } = await install();
    expect((await readdir(join(installDir!, 'node_modules'))).toSorted()).toEqual([
      '.package-lock.json',
      '@acme',
      'acme-dep',
      'acme-native',
    ]);
    expect(existsSync(join(installDir!, 'node_modules', name, 'ran'))).toBe(false);
    expect(existsSync(join(installDir!, 'package-lock.json'))).toBe(true);
  });

  it('installs by the lockfile that was checked, also when the registry has something newer by then', async () => {
    await appendFile(join(home, '.npmrc'), 'package-lock=false\nprefer-online=true\n');
    let published: Promise<unknown> = Promise.resolve();
    const tell = (line: string) => {
      if (line.startsWith('integrity'))
        published = registry.publish({ name: 'acme-dep', version: '2.0.1' }, dependency);
    };
    const { installDir } = await anInstaller().install(
      { serverId: 'server-1', entry: anEntry(), log: tell },
      never,
    );
    await published;
    const installed = await readFile(join(installDir!, 'node_modules/acme-dep/package.json'), 'utf8');
    expect(JSON.parse(installed).version).toBe('2.0.0');
  });

  it('runs install scripts where the entry says so, without the environment of the service', async () => {
    const installer = anInstaller({ ENCRYPTION_KEYS: 'k1:topsecret', DATABASE_URL: 'postgres://u:p@h/d' });
    const { installDir } = await install(anEntry({}, { runInstallScripts: true }), installer);
    const seen = JSON.parse(await readFile(join(installDir!, 'node_modules', name, 'ran'), 'utf8'));
    expect(seen).toMatchObject({ HOME: home });
    expect(seen).not.toHaveProperty('ENCRYPTION_KEYS');
    expect(seen).not.toHaveProperty('DATABASE_URL');
  });

  it('works for a user without a home to write to', async () => {
    // Below a file: not even root can make it.
    const nowhere = join(home, '.npmrc', 'home');
    const installer = anInstaller({ HOME: nowhere, npm_config_registry: registry.url });
    await install(anEntry(), installer);
    expect(existsSync(join(dataFolder, 'npm-cache'))).toBe(true);
  });

  it('fetches nothing where the host has the server already', async () => {
    const entry: InstallableEntry = {
      runtime: 'none',
      manifest: { package: { registry: 'none' }, runInstallScripts: false },
    };
    expect(await install(entry)).toEqual({ installDir: null, lock: null });
    expect(await anInstaller().isInstalled('server-1', entry)).toBe(true);
    expect(existsSync(dataFolder)).toBe(false);
  });

  it('fetches nothing twice', async () => {
    const first = await install();
    registry.requests.length = 0;
    expect(await install()).toEqual(first);
    expect(registry.requests).toEqual([]);
  });

  it('replaces what a crash left half-way', async () => {
    const left = anInstaller().installDirOf('server-1', anEntry())!;
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'half'), '');
    expect(await anInstaller().isInstalled('server-1', anEntry())).toBe(false);
    await install();
    expect(existsSync(join(left, 'half'))).toBe(false);
  });

  it('succeeds for two servers of one entry at once', async () => {
    const installer = anInstaller();
    const [one, two] = await Promise.all([
      install(anEntry(), installer, 'one'),
      install(anEntry(), installer, 'two'),
    ]);
    expect(one.installDir).not.toBe(two.installDir);
    for (const { installDir } of [one, two])
      expect(existsSync(join(installDir!, 'node_modules/acme-dep'))).toBe(true);
  });

  it('succeeds for one server asked for twice at once', async () => {
    const installer = anInstaller();
    const [one, two] = await Promise.all([install(anEntry(), installer), install(anEntry(), installer)]);
    expect(one).toEqual(two);
    expect(lines.filter((line) => line.startsWith('resolving'))).toHaveLength(1);
    expect(existsSync(join(one.installDir!, 'node_modules/acme-dep'))).toBe(true);
  });
});

describe('a package that cannot be had is refused, and leaves nothing behind:', () => {
  const refusal = (message: RegExp) =>
    expect.objectContaining({
      code: 'package_unavailable',
      status: 502,
      message: expect.stringMatching(message),
    });

  afterEach(async () => {
    expect(existsSync(join(dataFolder, 'mcp', 'servers', 'server-1'))).toBe(false);
    await until(async () => (await workingThere()).length === 0);
  });

  it('the registry knows another archive than the catalogue (nothing is downloaded)', async () => {
    const other = anEntry({ integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}` });
    await expect(install(other)).rejects.toEqual(refusal(/integrity differs/));
    expect(archiveRequests()).toEqual([]);
  });

  it('the registry sends other bytes than it says', async () => {
    registry.treatment = 'other bytes';
    await expect(install()).rejects.toEqual(refusal(/integrity differs.*EINTEGRITY/));
    expect(archiveRequests()).not.toEqual([]);
  });

  it('the registry has no such version', async () => {
    await expect(install(anEntry({ version: '9.9.9' }))).rejects.toEqual(
      refusal(/no such package or version/),
    );
  });

  it('the registry has no such package', async () => {
    await expect(install(anEntry({ name: 'acme-none' }))).rejects.toEqual(
      refusal(/no such package or version/),
    );
  });

  it('the registry is away', async () => {
    await writeFile(join(home, '.npmrc'), 'registry=http://127.0.0.1:1/\nfetch-retries=0\n');
    await expect(install()).rejects.toEqual(refusal(/could not be reached/));
  });

  it('this host has no npm', async () => {
    const { findNpmCli } = await import('../../../src/mcp/packages/npm-cli.js');
    await expect(findNpmCli(folder, join(folder, 'home', '.npmrc'))).rejects.toEqual(
      refusal(/npm was not found/),
    );
  });

  it('it depends on something that cannot be checked', async () => {
    const packages = {
      '': {},
      [`node_modules/${name}`]: { version: '1.0.0', integrity },
      'node_modules/from-git': { version: '1.0.0' },
    };
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    const pin = {
      registry: 'npm' as const,
      runtime: 'node' as const,
      name,
      version: '1.0.0',
      integrity,
      runInstallScripts: false,
    };
    await expect(checkLockfile(pin, folder)).rejects.toEqual(
      refusal(/from-git, which is not from the registry/),
    );
  });

  it('the registry falls silent, until the limit', async () => {
    registry.treatment = 'silence';
    await expect(install(anEntry(), anInstaller({}, 4_000))).rejects.toEqual(refusal(/within 4 seconds/));
  });

  it('the caller gives up while the registry is silent', async () => {
    registry.treatment = 'silence';
    const caller = new AbortController();
    const installing = anInstaller().install({ serverId: 'server-1', entry: anEntry(), log }, caller.signal);
    const refused = expect(installing).rejects.toBe('the caller left');
    await until(() => archiveRequests().length > 0);
    expect(await workingThere()).not.toEqual([]);
    caller.abort('the caller left');
    await refused;
  });

  it('the caller gives up on a tool that has started others', async () => {
    await mkdir(dataFolder);
    const caller = new AbortController();
    const options = { cwd: dataFolder, env: { PATH: '/usr/bin:/bin' }, signal: caller.signal };
    const refused = expect(runTool('/bin/sh', ['-c', 'sleep 600 & sleep 600'], options)).rejects.toBe(
      'the caller left',
    );
    await until(async () => (await workingThere()).length === 3);
    caller.abort('the caller left');
    await refused;
  });

  it('nothing of what npm says reaches the caller', async () => {
    await writeFile(
      join(home, '.npmrc'),
      'registry=http://someone:topsecret@127.0.0.1:1/\nfetch-retries=0\n',
    );
    const fault = await install().catch((error: Error) => error);
    expect(JSON.stringify(fault)).not.toContain('topsecret');
    expect(lines.join('\n')).not.toContain('topsecret');
  });
});

describe('what is installed', () => {
  it('is removed with its server, and nothing else is', async () => {
    const servers = join(dataFolder, 'mcp', 'servers');
    for (const id of ['one', 'two'])
      await mkdir(join(servers, id, 'packages', '1.0.0', 'node_modules'), { recursive: true });
    await anInstaller().remove('one');
    expect(await readdir(servers)).toEqual(['two']);
    await anInstaller().remove('one');
  });

  it.each(['..', '.', '', 'a/b', '../../etc'])('is not looked for under the id %j', async (serverId) => {
    await expect(anInstaller().remove(serverId)).rejects.toThrow(TypeError);
  });

  it('gives way to another pin only when told', async () => {
    const installer = anInstaller();
    const { installDir: old } = await install(anEntry(), installer);
    const other = installer.installDirOf('server-1', anEntry({ integrity: 'sha512-AAAA' }))!;
    await mkdir(other);
    expect(existsSync(old!)).toBe(true);
    await installer.removeOthers('server-1', other);
    expect([existsSync(old!), existsSync(other)]).toEqual([false, true]);
  });

  it('is swept when no server is known for it, unless it is new', async () => {
    const servers = join(dataFolder, 'mcp', 'servers');
    for (const id of ['known', 'left', 'new']) await mkdir(join(servers, id), { recursive: true });
    const longAgo = new Date(Date.now() - 3_600_000);
    for (const id of ['known', 'left']) await utimes(join(servers, id), longAgo, longAgo);
    await anInstaller().removeUnknown(new Set(['known']));
    expect((await readdir(servers)).toSorted()).toEqual(['known', 'new']);
  });
});
