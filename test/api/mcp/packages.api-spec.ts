import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { checkInstalled, checkLockfile, npmFetcher } from '../../../src/mcp/packages/install-npm-package.js';
import { type InstallableEntry, PackageInstaller } from '../../../src/mcp/packages/package-installer.js';
import { PackageSandbox, runPackageManager } from '../../../src/mcp/packages/package-sandbox.js';
import { probeSandbox } from '../../../src/mcp/processes/sandbox/sandbox-probe.js';
import { HostEnvironment } from '../../../src/mcp/runtime/runtime.service.js';
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
const level = await probeSandbox('auto');

beforeAll(async () => {
  registry = await PackageRegistry.start();
  await registry.publish({ name: 'acme-dep', version: '2.0.0' }, dependency);
  const scripts = { install: 'node script.js' };
  const dependencies = { 'acme-dep': '^2.0.0' };
  // Packages with a binary per platform have such dependencies; a registry may lack those of other platforms.
  const optionalDependencies = { 'acme-native': '1.0.0', 'acme-native-elsewhere': '1.0.0' };
  await registry.publish({ name: 'acme-native', version: '1.0.0' }, {});
  integrity = await registry.publish(
    { name, version: '1.0.0', main: 'index.js', scripts, dependencies, optionalDependencies },
    files,
  );
});
afterAll(() => registry.stop());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-packages-'));
  dataFolder = join(folder, 'data');
  home = join(folder, 'home');
  await mkdir(home);
  registry.treatment = 'honest';
  registry.beHonest();
  registry.credentials.length = 0;
  registry.requests.length = 0;
  lines = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function anInstaller(more: Record<string, string> = {}, limitMs = 60_000): PackageInstaller {
  const settings = { npm_config_registry: registry.url, npm_config_fetch_retries: '0' };
  const host = new HostEnvironment({ PATH: process.env.PATH, HOME: home, ...settings, ...more });
  const pypi = () => Promise.reject(new Error('not for npm'));
  const sandbox = new PackageSandbox({
    dataFolder,
    cache: join(folder, 'npm-cache'),
    level: async () => level,
  });
  return new PackageInstaller({ dataFolder, limitMs }, { npm: npmFetcher(host, sandbox), pypi });
}

function anEntry(pin: object = {}, manifest: object = {}): InstallableEntry {
  const exact = { registry: 'npm' as const, name, version: '1.0.0', integrity, ...pin };
  return { runtime: 'node', manifest: { package: exact, runInstallScripts: false, ...manifest } };
}

const install = (entry = anEntry(), installer = anInstaller(), serverId = 'server-1') =>
  installer.install({ serverId, entry, log }, never);

let made = '';
afterAll(() => rm(made, { recursive: true, force: true }));
/** Gives a test the package of `server-1` that npm has installed once for all tests that begin with it. */
async function installedBefore() {
  if (!made) {
    await install();
    made = await mkdtemp(join(tmpdir(), 'awp-packages-made-'));
    await cp(dataFolder, made, { recursive: true });
    await rm(join(folder, 'npm-cache'), { recursive: true });
  } else await cp(made, dataFolder, { recursive: true });
  lines.length = 0;
  registry.requests.length = 0;
  return install();
}

const archiveRequests = () => registry.requests.filter((path) => path.includes('/-/'));

/** Returns the processes that work in the data folder of this test. */
async function workingThere(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((pid) => /^\d+$/.test(pid));
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return places.filter((place) => place.startsWith(dataFolder));
}

describe('the installation of an npm package', () => {
  it('fetches it with its dependencies into its own folder and keeps the lockfile', async () => {
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

  it('installs the same with any npm configuration: no scripts, all optional packages, a lockfile', async () => {
    const settings =
      'ignore-scripts=false\noptional=false\npackage-lock=false\nglobal=true\ndry-run=true\ninstall-strategy=linked\n';
    await writeFile(join(home, '.npmrc'), settings);
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

  it('installs by the checked lockfile even if the registry has newer versions by then', async () => {
    let published: Promise<unknown> = Promise.resolve();
    const publishMeanwhile = (line: string) => {
      if (line.startsWith('integrity'))
        published = registry.publish({ name: 'acme-dep', version: '2.0.1' }, dependency);
    };
    const { installDir } = await anInstaller().install(
      { serverId: 'server-1', entry: anEntry(), log: publishMeanwhile },
      never,
    );
    await published;
    const installed = await readFile(join(installDir!, 'node_modules/acme-dep/package.json'), 'utf8');
    expect(JSON.parse(installed).version).toBe('2.0.0');
  });

  it('runs install scripts if the entry requires them, without the environment of the service', async () => {
    const installer = anInstaller({ ENCRYPTION_KEYS: 'k1:topsecret', DATABASE_URL: 'postgres://u:p@h/d' });
    const { installDir } = await install(anEntry({}, { runInstallScripts: true }), installer);
    const seen = JSON.parse(await readFile(join(installDir!, 'node_modules', name, 'ran'), 'utf8'));
    expect(seen.HOME).toMatch(installDir!);
    expect(seen).not.toHaveProperty('ENCRYPTION_KEYS');
    expect(seen).not.toHaveProperty('DATABASE_URL');
    expect(seen.npm_config_registry ?? '').not.toContain(registry.url);
    expect(existsSync(join(installDir!, '.work'))).toBe(false);
  });

  it('sends no credentials of the operator to the registry', async () => {
    const address = registry.url.replace('http:', '');
    await writeFile(join(home, '.npmrc'), `${address}:_authToken=topsecret\nalways-auth=true\n`);
    await install(anEntry(), anInstaller({ [`npm_config_${address}:_authToken`]: 'topsecret' }));
    expect(registry.credentials).toEqual([]);
  });

  it('fetches nothing if the host already has the server', async () => {
    const entry: InstallableEntry = {
      runtime: 'none',
      manifest: { package: { registry: 'none' }, runInstallScripts: false },
    };
    expect(await install(entry)).toEqual({ installDir: null, lock: null });
    expect(await anInstaller().isInstalled('server-1', entry)).toBe(true);
    expect(existsSync(dataFolder)).toBe(false);
  });

  it('does not fetch a package again', async () => {
    const first = await installedBefore();
    expect(await install()).toEqual(first);
    expect(first.lock).toContain(integrity);
    expect(registry.requests).toEqual([]);
  });

  it('succeeds for two servers of one entry concurrently', async () => {
    const installer = anInstaller();
    const [one, two] = await Promise.all([
      install(anEntry(), installer, 'one'),
      install(anEntry(), installer, 'two'),
    ]);
    expect(one.installDir).not.toBe(two.installDir);
    for (const { installDir } of [one, two])
      expect(existsSync(join(installDir!, 'node_modules/acme-dep'))).toBe(true);
  });

  it('succeeds for two concurrent requests for one server, and replaces an incomplete folder after a crash', async () => {
    const installer = anInstaller();
    const left = installer.installDirOf('server-1', anEntry())!;
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'half'), '');
    expect(await installer.isInstalled('server-1', anEntry())).toBe(false);
    const [one, two] = await Promise.all([install(anEntry(), installer), install(anEntry(), installer)]);
    expect(one).toEqual(two);
    expect(lines.filter((line) => line.startsWith('resolving'))).toHaveLength(1);
    expect(existsSync(join(one.installDir!, 'node_modules/acme-dep'))).toBe(true);
    expect(existsSync(join(left, 'half'))).toBe(false);
  });
});

describe('the package of another server', () => {
  it('is copied without a request to the registry', async () => {
    await installedBefore();
    const { installDir, lock } = await install(anEntry(), anInstaller(), 'server-2');
    expect(registry.requests).toEqual([]);
    expect(lines.at(-1)).toMatch(/installed from the verified copy of another server/);
    expect(lines.filter((line) => line.startsWith('resolving'))).toEqual([]);
    expect(lock).toContain(integrity);
    await anInstaller().remove('server-1');
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(installDir!, 'node_modules', name, 'index.js'),
    ]);
    expect(stdout).toBe('a server with its dependency\n');
    expect(await readdir(join(dataFolder, 'mcp', 'servers', 'server-2', 'packages'))).toHaveLength(1);
  });

  it('is not used if one of its files has changed', async () => {
    const { installDir } = await installedBefore();
    await writeFile(join(installDir!, 'node_modules', name, 'index.js'), 'console.log("altered")');
    const second = await install(anEntry(), anInstaller(), 'server-2');
    expect(lines.join('\n')).toMatch(/copy of another server cannot be used/);
    expect(await readFile(join(second.installDir!, 'node_modules', name, 'index.js'), 'utf8')).toBe(server);
  });

  it('is copied with its dependencies, unless the lock of the server names others', async () => {
    const dependencies = { 'acme-moving': '^1.0.0' };
    await registry.publish({ name: 'acme-moving', version: '1.0.0' }, {});
    const pin = await registry.publish({ name: 'acme-mover', version: '1.0.0', dependencies }, {});
    const entry = anEntry({ name: 'acme-mover', integrity: pin });
    const { lock } = await install(entry);
    await registry.publish({ name: 'acme-moving', version: '1.0.1' }, {});
    await rm(join(folder, 'npm-cache'), { recursive: true });
    expect((await install(entry, anInstaller(), 'server-2')).lock).not.toMatch(/"1\.0\.1"/);
    for (const serverId of ['server-1', 'server-2']) await anInstaller().remove(serverId);
    expect((await install(entry, anInstaller(), 'server-3')).lock).toMatch(/"1\.0\.1"/);
    const restored = await anInstaller().install({ serverId: 'server-4', entry, lock, log }, never);
    expect(restored.lock).not.toMatch(/"1\.0\.1"/);
  });
});

describe('an installation fails and leaves nothing behind', () => {
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

  it('if the registry names another archive than the catalogue (nothing is downloaded)', async () => {
    const other = anEntry({ integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}` });
    await expect(install(other)).rejects.toEqual(refusal(/integrity differs/));
    expect(archiveRequests()).toEqual([]);
  });

  it('if the registry sends other bytes than it announces', async () => {
    registry.treatment = 'other bytes';
    await expect(install()).rejects.toEqual(refusal(/integrity differs.*EINTEGRITY/));
    expect(archiveRequests()).not.toEqual([]);
  });

  const evil = { 'index.js': 'console.log("another archive")' };

  it.each<[string, string, (honest: string, other: string) => string | null, RegExp]>([
    ['a second hash for the package', name, (pin, other) => `${pin} ${other}`, /more than one hash/],
    ['a second hash for a dependency', 'acme-dep', (pin, other) => `${pin} ${other}`, /more than one hash/],
    ['a second hash with an option', 'acme-dep', (pin, other) => `${pin}?a ${other}?b`, /more than one hash/],
    ['no hash for a dependency', 'acme-dep', () => null, /acme-dep, which is not from the registry/],
  ])('if the registry announces %s', async (_, about, announce, message) => {
    await registry.lieAbout(about, evil, announce);
    await expect(install()).rejects.toEqual(refusal(message));
    expect(archiveRequests()).toEqual([]);
  });

  it.each([
    ['a weak hash for a dependency', 'acme-dep', `sha1-${'A'.repeat(27)}=`, /no SHA-512 hash/],
    ['another hash for the package', name, `sha512-${'A'.repeat(86)}==`, /integrity differs/],
  ])('if the lockfile that npm made of it has %s', async (_, about, hash, message) => {
    const file = JSON.parse((await installedBefore()).lock!);
    file.packages[`node_modules/${about}`].integrity = hash;
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(file));
    const pin = { registry: 'npm', runtime: 'node', name, version: '1.0.0', integrity } as const;
    const request = { ...pin, closure: null, runInstallScripts: false };
    await expect(checkLockfile(request, folder)).rejects.toEqual(refusal(message));
    await anInstaller().remove('server-1');
  });

  it('if the registry sends another archive to a repeated installation by the lock', async () => {
    const { lock } = await installedBefore();
    await anInstaller().remove('server-1');
    await registry.lieAbout('acme-dep', evil, (honest, other) => `${honest} ${other}`);
    const again = anInstaller().install({ serverId: 'server-1', entry: anEntry(), lock, log }, never);
    await expect(again).rejects.toEqual(refusal(/integrity differs/));
  });

  it('if the lock names a weaker hash of the package, to which npm would add that of the registry', async () => {
    const { lock } = await installedBefore();
    await anInstaller().remove('server-1');
    const weak = `sha256-${Buffer.alloc(32, 1).toString('base64')}`;
    const forged = lock!.replaceAll(integrity, weak);
    const entry = anEntry({ integrity: weak });
    const again = anInstaller().install({ serverId: 'server-1', entry, lock: forged, log }, never);
    await expect(again).rejects.toEqual(refusal(/no SHA-512 hash/));
  });

  it('if npm unpacked a package that the lockfile does not pin', async () => {
    const { installDir } = await installedBefore();
    const unpacked = join(installDir!, 'node_modules', '.package-lock.json');
    const pin = { registry: 'npm', runtime: 'node', name, version: '1.0.0', integrity } as const;
    const request = { ...pin, closure: null, runInstallScripts: false };
    await checkInstalled(request, installDir!);
    const found = JSON.parse(await readFile(unpacked, 'utf8'));
    found.packages[`node_modules/${name}/node_modules/acme-bundled`] = { version: '1.0.0' };
    await writeFile(unpacked, JSON.stringify(found));
    await expect(checkInstalled(request, installDir!)).rejects.toEqual(refusal(/acme-bundled.*otherwise/));
    await anInstaller().remove('server-1');
  });

  it('if a dependency is announced as bundled, but no package holds it', async () => {
    const packages = { '': {}, 'node_modules/acme-dep': { version: '2.0.0', inBundle: true } };
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
    const pin = { registry: 'npm', runtime: 'node', name, version: '1.0.0', integrity } as const;
    const request = { ...pin, closure: null, runInstallScripts: false };
    await expect(checkLockfile(request, folder)).rejects.toEqual(refusal(/acme-dep.*bundled/));
  });

  it('if a dependency is a folder of this host', async () => {
    await writeFile(join(home, 'package.json'), '{"name": "acme-linked", "version": "1.0.0"}');
    const dependencies = { 'acme-linked': `file:${home}` };
    const pin = await registry.publish({ name: 'acme-linking', version: '1.0.0', dependencies }, {});
    const entry = anEntry({ name: 'acme-linking', integrity: pin });
    await expect(install(entry)).rejects.toEqual(
      refusal(/could not be|could not install|not from the registry/),
    );
    expect(archiveRequests().filter((path) => path.includes('acme-linking'))).toEqual([]);
  });

  it('if the registry has no such version', async () => {
    await expect(install(anEntry({ version: '9.9.9' }))).rejects.toEqual(
      refusal(/no such package or version/),
    );
  });

  it('if the registry has no such package', async () => {
    await expect(install(anEntry({ name: 'acme-none' }))).rejects.toEqual(
      refusal(/no such package or version/),
    );
  });

  it('if the registry is unreachable', async () => {
    const away = anInstaller({ npm_config_registry: 'http://127.0.0.1:1/' });
    await expect(install(anEntry(), away)).rejects.toEqual(refusal(/could not be reached/));
  });

  it('if this host has no npm', async () => {
    const { findNpmCli } = await import('../../../src/mcp/packages/install-npm-package.js');
    await writeFile(join(home, '.npmrc'), '');
    await expect(findNpmCli(folder, join(folder, 'home', '.npmrc'))).rejects.toEqual(
      refusal(/npm was not found/),
    );
  });

  it('if a dependency cannot be checked', async () => {
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
      closure: null,
      runInstallScripts: false,
    };
    await expect(checkLockfile(pin, folder)).rejects.toEqual(
      refusal(/from-git, which is not from the registry/),
    );
  });

  it('if the registry stops responding until the time limit', async () => {
    registry.treatment = 'silence';
    await expect(install(anEntry(), anInstaller({}, 2_000))).rejects.toEqual(refusal(/within 2 seconds/));
  });

  it('if the caller aborts while the registry does not respond', async () => {
    registry.treatment = 'silence';
    const caller = new AbortController();
    const installing = anInstaller().install({ serverId: 'server-1', entry: anEntry(), log }, caller.signal);
    const refused = expect(installing).rejects.toBe('the caller left');
    await until(() => archiveRequests().length > 0);
    expect(await workingThere()).not.toEqual([]);
    caller.abort('the caller left');
    await refused;
  });

  it('if the caller aborts a package manager that has started other processes', async () => {
    await mkdir(dataFolder);
    const caller = new AbortController();
    const options = { cwd: dataFolder, env: { PATH: '/usr/bin:/bin' }, signal: caller.signal };
    const refused = expect(
      runPackageManager('/bin/sh', ['-c', 'sleep 600 & sleep 600'], options),
    ).rejects.toBe('the caller left');
    await until(async () => (await workingThere()).length === 3);
    caller.abort('the caller left');
    await refused;
  });

  it('without showing the output of npm to the caller', async () => {
    const away = anInstaller({ npm_config_registry: 'http://someone:topsecret@127.0.0.1:1/' });
    const error = await install(anEntry(), away).catch((reason: Error) => reason);
    expect(error).toEqual(refusal(/could not be reached/));
    expect(JSON.stringify(error)).not.toContain('topsecret');
    expect(lines.join('\n')).not.toContain('topsecret');
  });
});

describe('an install script', () => {
  (level === 'process-group' ? it.skip : it)('cannot read the data folder of the service', async () => {
    await mkdir(dataFolder);
    await writeFile(join(dataFolder, 'keyring.json'), 'secret');
    const keyRing = JSON.stringify(join(dataFolder, 'keyring.json'));
    const scripts = { install: `node -e 'require("fs").readFileSync(${keyRing})'` };
    const pin = await registry.publish({ name: 'acme-spy', version: '1.0.0', scripts }, {});
    const entry = anEntry({ name: 'acme-spy', integrity: pin }, { runInstallScripts: true });
    await expect(install(entry)).rejects.toEqual(
      expect.objectContaining({ message: expect.stringMatching(/npm could not install it/) }),
    );
    // That a script which reads nothing of it succeeds is shown above, with the environment of a script.
  });
});

describe('an installed package', () => {
  it('is removed with its server, and other servers are not', async () => {
    const servers = join(dataFolder, 'mcp', 'servers');
    for (const id of ['one', 'two'])
      await mkdir(join(servers, id, 'packages', '1.0.0', 'node_modules'), { recursive: true });
    await anInstaller().remove('one');
    expect(await readdir(servers)).toEqual(['two']);
    await anInstaller().remove('one');
  });

  it.each(['..', '.', '', 'a/b', '../../etc'])('is rejected for the server id %j', async (serverId) => {
    await expect(anInstaller().remove(serverId)).rejects.toThrow(TypeError);
  });

  it('is removed in favour of another pin only on request', async () => {
    const installer = anInstaller();
    const { installDir: old } = await installedBefore();
    const other = installer.installDirOf('server-1', anEntry({ integrity: 'sha512-AAAA' }))!;
    await mkdir(other);
    expect(existsSync(old!)).toBe(true);
    await installer.removeOthers('server-1', other);
    expect([existsSync(old!), existsSync(other)]).toEqual([false, true]);
  });

  it('is swept if its server is unknown, unless it is new', async () => {
    const servers = join(dataFolder, 'mcp', 'servers');
    for (const id of ['known', 'left', 'new']) await mkdir(join(servers, id), { recursive: true });
    const longAgo = new Date(Date.now() - 3_600_000);
    for (const id of ['known', 'left']) await utimes(join(servers, id), longAgo, longAgo);
    await anInstaller().removeUnknown(new Set(['known']));
    expect((await readdir(servers)).toSorted()).toEqual(['known', 'new']);
  });
});
