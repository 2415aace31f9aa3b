import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createdBy, someName } from '../../support/builders.js';
import { useService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from './local-catalog.js';
import { PackageRegistry } from './package-registry.js';
import {
  aServer,
  aVerifiedServer,
  pathOf,
  processesNaming,
  tryOut,
  verify,
  type Installed,
} from './servers.js';

const registry = await PackageRegistry.start();
const catalog = new LocalCatalog();
const cache = mkdtempSync(join(tmpdir(), 'awp-npm-cache-'));
const kit = readFileSync(
  resolve(import.meta.dirname, '../../support/mcp-servers/minimal-server.mjs'),
  'utf8',
);

/** Publishes a server that returns the version of its dependency. */
async function releaseDependent(id: string): Promise<void> {
  const main = `import { serve, text } from './minimal-server.mjs';
    import version from 'acme-dep';
    serve({ calls: { version: () => text(version) } });`;
  const published = await registry.publish(
    { name: `acme-${id}`, version: '1.0.0', dependencies: { 'acme-dep': '^1.0.0' } },
    { 'index.mjs': main, 'minimal-server.mjs': kit },
  );
  vouchFor(id, '1.0.0', published);
}

const releaseDependency = (version: string) =>
  registry.publish(
    { name: 'acme-dep', version, main: 'index.js' },
    { 'index.js': `module.exports = '${version}'` },
  );

/** Publishes a server that returns its version, and adds its integrity to the catalogue. */
async function release(id: string, version: string, integrity?: string): Promise<void> {
  const main = `import { serve, text } from './minimal-server.mjs';
    const wait = ({ ms }) => new Promise((resolve) => setTimeout(() => resolve(text('${version}')), ms));
    serve({ calls: { version: () => text('${version}'), wait } });`;
  const published = await registry.publish(
    { name: `acme-${id}`, version },
    { 'index.mjs': main, 'minimal-server.mjs': kit },
  );
  vouchFor(id, version, integrity ?? published);
}

function vouchFor(id: string, version: string, integrity: string): void {
  catalog.stdio(id, ['unused.mjs'], {
    runtime: 'node',
    version,
    manifest: {
      package: { registry: 'npm', name: `acme-${id}`, version, integrity },
      launch: { command: 'node', args: [`{installDir}/node_modules/acme-${id}/index.mjs`], cwd: null },
    },
  });
}

const ids = ['plain', 'dry', 'real', 'lost', 'slow'];
for (const id of ids) await release(id, '1.0.0');
await releaseDependency('1.0.0');
await releaseDependent('dependent');
await release('forged', '1.0.0', `sha512-${'A'.repeat(86)}==`);

const service = useService({
  settings: {
    CATALOG_DIRS: catalog.folder,
    npm_config_registry: registry.url,
    npm_config_cache: cache,
    npm_config_fetch_retries: '0',
  },
});
afterAll(async () => {
  await registry.stop();
  catalog.remove();
  rmSync(cache, { recursive: true, force: true });
});
beforeEach(() => {
  registry.treatment = 'honest';
});

let second: Promise<Service> | null = null;
/** Another process of the service. */
const theOther = () => (second ??= service.second());

const serversFolder = () => join(service.dataDir, 'mcp', 'servers');
const namesIn = (folder: string) => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};
const packagesOf = ({ id }: { id: string }) =>
  namesIn(join(serversFolder(), id, 'packages')).map((name) => name.split('-', 1)[0]);
const upgrade = (server: { id: string }, query = '') =>
  service.owner.post(`${pathOf(server)}/upgrade${query}`);
const goOn = async (id: string, version = '2.0.0') => {
  await release(id, version);
  await service.owner.post('/api/mcp/catalog/reload');
};
/** Returns the running package managers, found by the folder that they fill. */
const atWork = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      const place = /^\d+$/.test(pid) ? readlinkSync(`/proc/${pid}/cwd`) : '';
      return place.startsWith(serversFolder()) && place.includes('/packages/');
    } catch {
      return false;
    }
  });

describe('the package of a server', () => {
  it('is fetched at installation, runs from its own folder, and is removed with the server', async () => {
    const server = await aServer(service.owner, 'plain');
    expect(packagesOf(server)).toEqual(['1.0.0']);
    expect(await tryOut(service.owner, server, 'version')).toBe('1.0.0');
    // Only the names of programs and scripts count: the path of the checkout or of TMPDIR may hold 'npm' too.
    const programs = processesNaming(server.id).flatMap((line) =>
      line.split(' ').map((path) => basename(path)),
    );
    expect(programs).toContain('node');
    expect(programs.filter((name) => /^(npm|npx)\b/.test(name))).toEqual([]);
    await service.owner.delete(pathOf(server));
    expect(namesIn(serversFolder())).not.toContain(server.id);
  });

  it('is rejected without a trace if its integrity differs from the catalogue', async () => {
    const before = namesIn(serversFolder());
    const answer = await service.owner.post('/api/mcp/installed', { catalogId: 'forged' });
    expect(answer.body).toMatchObject({ status: 502, code: 'package_unavailable' });
    expect(namesIn(serversFolder())).toEqual(before);
  });

  it('is installed for each of two servers that are installed at once', async () => {
    const path = '/api/mcp/installed';
    const install = () => createdBy<Installed>(service.owner, path, { catalogId: 'plain' });
    for (const server of await Promise.all([install(), install()])) {
      expect(packagesOf(server)).toEqual(['1.0.0']);
      expect(await tryOut(service.owner, server, 'version')).toBe('1.0.0');
    }
  });

  it('is removed if another server takes the name in the meantime', async () => {
    const before = namesIn(serversFolder());
    const name = someName('server');
    const answers = await Promise.all(
      [1, 2].map(() => service.owner.post('/api/mcp/installed', { catalogId: 'plain', name })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(namesIn(serversFolder())).toHaveLength(before.length + 1);
  });

  it('is fetched at the first use if another process of the service installed it', async () => {
    const server = await aVerifiedServer(service.owner, 'plain');
    const other = await theOther();
    expect(await tryOut(service.owner.at(other), server, 'version')).toBe('1.0.0');
  });

  it('has the same dependencies in the other process although the registry has newer ones by then', async () => {
    const server = await aVerifiedServer(service.owner, 'dependent');
    await releaseDependency('1.1.0');
    const other = await theOther();
    expect(await tryOut(service.owner.at(other), server, 'version')).toBe('1.0.0');
    const later = await aVerifiedServer(service.owner, 'dependent');
    expect(await tryOut(service.owner, later, 'version')).toBe('1.0.0');
    for (const one of [server, later]) await service.owner.delete(pathOf(one));
    const last = await aVerifiedServer(service.owner, 'dependent');
    expect(await tryOut(service.owner, last, 'version')).toBe('1.1.0');
  });

  it('is fetched again by verify if its folder was lost', async () => {
    const server = await aServer(service.owner, 'lost');
    rmSync(join(serversFolder(), server.id), { recursive: true });
    expect((await verify(service.owner, server)).body).toMatchObject({ status: 'ok' });
    expect(packagesOf(server)).toEqual(['1.0.0']);
    rmSync(join(serversFolder(), server.id), { recursive: true });
    registry.treatment = 'other bytes';
    rmSync(cache, { recursive: true });
    expect((await verify(service.owner, server)).body).toMatchObject({ status: 'error', phase: 'package' });
  });

  it('is removed at a later start if a crash left it without a server and it is old enough', async () => {
    const [old, young] = ['0199f0a0-0000-7000-8000-000000000001', '0199f0a0-0000-7000-8000-000000000002'];
    for (const id of [old, young]) mkdirSync(join(serversFolder(), id, 'packages'), { recursive: true });
    const anHourAgo = new Date(Date.now() - 3_600_000);
    utimesSync(join(serversFolder(), old), anHourAgo, anHourAgo);
    const server = await aServer(service.owner, 'plain');
    await service.stop();
    await service.start();
    expect(namesIn(serversFolder())).toEqual(expect.arrayContaining([young, server.id]));
    expect(namesIn(serversFolder())).not.toContain(old);
  });
});

describe('an upgrade of a package', () => {
  it('installs the new package beside the old one in a dry run and then removes it', async () => {
    const server = await aVerifiedServer(service.owner, 'dry');
    await goOn('dry');
    expect((await upgrade(server, '?dryRun=true')).body).toMatchObject({
      upgrade: { applied: false, verification: { status: 'ok' } },
    });
    expect(packagesOf(server)).toEqual(['1.0.0']);
    expect(await tryOut(service.owner, server, 'version')).toBe('1.0.0');
  });

  it('lets calls finish with the old package and removes it afterwards', async () => {
    const server = await aVerifiedServer(service.owner, 'real');
    await goOn('real');
    expect(await tryOut(service.owner, server, 'version')).toBe('1.0.0');
    const running = tryOut(service.owner, server, 'wait', { ms: 4_000 });
    await upgrade(server);
    expect(await tryOut(service.owner, server, 'version')).toBe('2.0.0');
    expect(await running).toBe('1.0.0');
    await until(() => packagesOf(server).join() === '2.0.0');
  });

  it('keeps the old package if the new one cannot be fetched', async () => {
    const server = await aVerifiedServer(service.owner, 'plain');
    await goOn('plain');
    registry.treatment = 'other bytes';
    expect((await upgrade(server)).body).toMatchObject({ status: 502, code: 'package_unavailable' });
    expect(packagesOf(server)).toEqual(['1.0.0']);
    expect(await tryOut(service.owner, server, 'version')).toBe('1.0.0');
  });
});

describe('a registry that does not answer', () => {
  it('does not delay the removal of a server', async () => {
    const server = await aVerifiedServer(service.owner, 'slow');
    await goOn('slow');
    registry.treatment = 'silence';
    const upgrading = upgrade(server);
    await until(() => packagesOf(server).length === 2 && atWork().length > 0);
    expect((await service.owner.delete(pathOf(server))).status).toBe(204);
    expect((await upgrading).status).toBe(404);
    expect([namesIn(serversFolder()).includes(server.id), atWork()]).toEqual([false, []]);
  });

  it('does not delay the shutdown of the service, which leaves no package manager behind', async () => {
    await goOn('slow', '3.0.0');
    const before = namesIn(serversFolder());
    registry.treatment = 'silence';
    const installing = service.owner.post('/api/mcp/installed', { catalogId: 'slow' }).catch(() => null);
    await until(() => atWork().length > 0);
    await service.stop();
    expect(atWork()).toEqual([]);
    expect(namesIn(serversFolder())).toEqual(before);
    const answer = await installing;
    if (answer) expect(answer.body).toMatchObject({ status: 503, code: 'unavailable' });
    await service.start();
  });
});
