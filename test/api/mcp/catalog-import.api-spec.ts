import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { run } from '../../support/backup-commands.js';
import { anonymous } from '../../support/callers.js';
import { canary } from '../../support/canary.js';
import { commandNamed } from '../../support/commands.js';
import {
  accessibilityViolations,
  confirmPassword,
  dashboardBrowser,
  noChromium,
} from '../../support/dashboard.js';
import { refused } from '../../support/refusal.js';
import { OWNER, useService, type Service } from '../../support/service.js';
import { PackageRegistry } from './package-registry.js';
import { ServerRegistry } from './server-registry.js';
import { aVerifiedServer, tryOut } from './servers.js';

const IMPORT = commandNamed('catalog-import');
const kit = readFileSync(
  resolve(import.meta.dirname, '../../support/mcp-servers/minimal-server.mjs'),
  'utf8',
);
const main = `import { serve, text } from './minimal-server.mjs';
serve({ calls: { greet: () => text(process.env.GREETING + ' ' + process.argv.slice(2).join(' ')) } });`;

const { importServer } = await import('../../../scripts/catalog-import/import-server.mjs');
const [packages, servers] = await Promise.all([PackageRegistry.start(), ServerRegistry.start()]);
const folder = mkdtempSync(join(tmpdir(), 'awp-imports-'));
const cache = mkdtempSync(join(tmpdir(), 'awp-npm-cache-'));
const integrity = await packages.publish(
  { name: '@acme/greeter', version: '2.0.1', bin: { greeter: './index.mjs' } },
  { 'index.mjs': main, 'minimal-server.mjs': kit },
);
const npm = { npm_config_registry: packages.url, npm_config_cache: cache, npm_config_fetch_retries: '0' };
const greeter = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'io.github.acme/greeter',
  title: 'Greeter',
  description: 'Greets people.',
  version: '2.0.1',
  repository: { url: 'https://github.com/acme/greeter', source: 'github' },
  packages: [
    {
      registryType: 'npm',
      registryBaseUrl: 'https://registry.npmjs.org',
      identifier: '@acme/greeter',
      version: '2.0.1',
      runtimeHint: 'npx',
      runtimeArguments: [{ type: 'named', name: '-y' }],
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'named', name: '--to', default: 'all' }],
      environmentVariables: [
        { name: 'GREETING', description: 'First word.', isRequired: true, format: 'string' },
      ],
    },
  ],
};
servers.publish(greeter);

const service = useService({
  settings: { CATALOG_DIRS: folder, PUBLISH_REGISTRY: 'true', ...npm },
});
afterAll(async () => {
  await Promise.all([packages.stop(), servers.stop()]);
  for (const path of [folder, cache]) rmSync(path, { recursive: true, force: true });
});

let allowing: Promise<Service> | null = null;
/** The other process of the service, where entries that no person has reviewed may be installed, with the present catalogue. */
async function withUnverified(): Promise<Service> {
  allowing ??= service.second({ ALLOW_UNVERIFIED: 'true' });
  const other = await allowing;
  await other.owner.post('/api/mcp/catalog/reload');
  return other;
}

const importing = (args: string[], settings: Record<string, string> = {}) =>
  run(IMPORT, args, { CATALOG_DIRS: folder, MCP_REGISTRY_URL: servers.url, ...npm, ...settings });
const entryOf = (id: string) => JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8'));
const reload = () => service.owner.post('/api/mcp/catalog/reload');
const install = () =>
  service.owner.post('/api/mcp/installed', { catalogId: 'greeter', envValues: { GREETING: 'Hello' } });

describe('npm run catalog:import', () => {
  it('pins a server of a registry, which is installed only once unverified entries are allowed', async () => {
    expect(await importing(['io.github.acme/greeter@2.0.1'])).toEqual({
      code: 0,
      said: expect.stringMatching(/greeter\.json: Greeter 2\.0\.1.*GREETING, TO.*No person has reviewed/s),
    });
    expect(entryOf('greeter')).toMatchObject({
      verified: false,
      importedFrom: `${servers.url}/v0.1/servers/io.github.acme%2Fgreeter/versions/2.0.1`,
      manifest: { package: { name: '@acme/greeter', version: '2.0.1', integrity } },
    });
    await reload();
    const { body } = await service.owner.get('/api/mcp/catalog/greeter');
    expect(body).toMatchObject({
      installable: false,
      installableReason: expect.stringContaining('ALLOW_UNVERIFIED'),
    });
    expect(await install()).toMatchObject({ status: 409, body: { code: 'not_installable' } });

    const { owner } = await withUnverified();
    const server = await aVerifiedServer(owner, 'greeter', { envValues: { GREETING: 'Hello' } });
    expect(await tryOut(owner, server, 'greet')).toBe('Hello --to=all');
  });

  it('is installed without that setting after a review', async () => {
    const reviewed = { ...entryOf('greeter'), verified: true, verifiedBy: 'Acme security' };
    writeFileSync(join(folder, 'greeter.json'), JSON.stringify(reviewed));
    await reload();
    expect(await install()).toMatchObject({ status: 201 });
  });

  it('shows what a publisher wrote and hides nothing of it on a terminal', async () => {
    const title = '\u001b]0;owned\u0007\u001b[2J\rSafe\u202e';
    servers.publish({ ...greeter, name: 'io.github.acme/sly', title });
    const { code, said } = await importing(['io.github.acme/sly']);
    expect(code).toBe(0);
    expect(said).toContain('\\u{1b}]0;owned\\u{7}\\u{1b}[2J Safe\\u{202e}');
    for (const sign of ['\u001b', '\u0007', '\r', '\u202e']) expect(said).not.toContain(sign);
    expect(entryOf('sly')).toMatchObject({ name: '\\u{1b}]0;owned\\u{7}\\u{1b}[2J Safe\\u{202e}' });
    const official = { status: 'deprecated', statusMessage: '\u001b[2Jold' };
    const body = { server: { ...greeter, name: 'io.github.acme/old' } };
    const _meta = { 'io.modelcontextprotocol.registry/official': official };
    servers.respond('io.github.acme/old', 'latest', { ...body, _meta });
    const { said: warned } = await importing(['io.github.acme/old']);
    expect(warned).toContain('deprecated: \\u{1b}[2Jold');
  });

  it('makes an entry that verifies of a package alone, with the variables of its README', async () => {
    const readme = [
      '```json',
      '{"command": "npx", "args": ["-y", "@acme/shouter@2.0.1", "--loud", "--token=x"], "env": {"GREETING": "Ahoy"}}',
      '```',
      '- `NODE_OPTIONS`: for Node.',
    ].join('\n');
    const shouter = {
      name: '@acme/shouter',
      version: '2.0.1',
      bin: './index.mjs',
      engines: { node: '>=99' },
    };
    await packages.publish(shouter, { 'index.mjs': main, 'minimal-server.mjs': kit, 'README.md': readme });
    expect(await importing(['npm:@acme/shouter'])).toEqual({
      code: 0,
      said: expect.stringMatching(
        /acme-shouter\.json.*GREETING.*No person has reviewed.*--token.*NODE_OPTIONS/s,
      ),
    });
    expect(entryOf('acme-shouter')).toMatchObject({
      verified: false,
      importedFrom: 'https://www.npmjs.com/package/@acme/shouter/v/2.0.1',
      runtimeVersion: '>=99',
      environmentVariables: [{ name: 'GREETING', placeholder: 'Ahoy' }],
    });
    const { owner } = await withUnverified();
    const server = await aVerifiedServer(owner, 'acme-shouter', { envValues: { GREETING: 'Ahoy' } });
    expect(await tryOut(owner, server, 'greet')).toBe('Ahoy --loud');
  });

  it('pins the wheel of a Python package that runs on every platform', async () => {
    const wheel = (tag: string, sha: string) => ({
      filename: `acme_greeter-2.0.1-${tag}.whl`,
      hashes: { sha256: sha.repeat(64) },
    });
    const files = [
      { filename: 'acme_greeter-2.0.1.tar.gz', hashes: { sha256: 'a'.repeat(64) } },
      wheel('cp311-cp311-manylinux_2_28_x86_64', 'b'),
      { ...wheel('py3-none-any', 'c'), yanked: 'broken' },
      wheel('py2.py3-none-any', 'd'),
    ];
    servers.serve('/simple/acme-greeter/', { files });
    const pin = async (id: string, changes: object = {}) => {
      const python = {
        registryType: 'pypi',
        registryBaseUrl: 'https://pypi.org',
        identifier: 'Acme.Greeter',
      };
      servers.publish({
        ...greeter,
        name: `io.github.acme/${id}`,
        packages: [{ ...greeter.packages[0], ...python, runtimeArguments: [], ...changes }],
      });
      return importing([`io.github.acme/${id}`], { PIP_INDEX_URL: `${servers.url}/simple/` });
    };
    expect(await pin('python')).toMatchObject({ code: 0 });
    expect(entryOf('python')).toMatchObject({
      runtime: 'pipx',
      manifest: {
        package: {
          registry: 'pypi',
          integrity: `sha256-${Buffer.from('d'.repeat(64), 'hex').toString('base64')}`,
        },
        launch: { command: '{installDir}/bin/Acme.Greeter', args: ['--to={env:TO}'] },
      },
    });
    expect((await pin('other-wheel', { fileSha256: 'e'.repeat(64) })).said).toMatch(
      /not the one that fileSha256/,
    );
    expect((await pin('no-wheel', { version: '3.0.0' })).said).toMatch(/no wheel for every platform/);
  });

  it('replaces an earlier import only when forced, and never an entry of somebody else', async () => {
    const again = await importing(['io.github.acme/greeter']);
    expect(again).toMatchObject({ code: 78, said: expect.stringContaining('--force') });
    expect(entryOf('greeter').verified).toBe(true);
    expect(await importing(['io.github.acme/greeter', '--force'])).toMatchObject({ code: 0 });
    expect(entryOf('greeter').verified).toBe(false);

    expect(await importing(['io.github.acme/greeter', '--id', 'memory'])).toMatchObject({ code: 78 });
    const own = { ...entryOf('greeter'), id: 'own', importedFrom: null };
    writeFileSync(join(folder, 'own.json'), JSON.stringify(own));
    const forced = await importing(['io.github.acme/greeter', '--id', 'own', '--force']);
    expect(forced).toMatchObject({ code: 78, said: expect.stringContaining('exists already') });
    rmSync(join(folder, 'own.json'));
  });

  it.each<[string, string, object, object, RegExp]>([
    ['a server that does not exist', 'io.github.acme/none', {}, {}, /does not exist/],
    [
      'a registry that cannot be reached',
      'io.github.acme/x',
      {},
      { mcpRegistryUrl: 'http://127.0.0.1:9' },
      /cannot be reached/,
    ],
    ['a response for another server', 'io.github.acme/liar', {}, {}, /returned io\.github\.acme\/greeter/],
    ['a response without a server', 'io.github.acme/empty', {}, {}, /not a server\.json/],
    ['a response without JSON', 'io.github.acme/words', {}, {}, /did not answer with JSON/],
    ['an endless response', 'io.github.acme/endless', {}, {}, /did not answer with JSON|larger/],
    ['an image', 'io.github.acme/image', {}, {}, /npm and PyPI/],
    ['no folder', 'io.github.acme/greeter', {}, { catalogDirs: [] }, /Set CATALOG_DIRS/],
    [
      'a folder that the service does not read',
      'io.github.acme/greeter',
      { to: '/tmp' },
      {},
      /not a folder of/,
    ],
  ])('stops with a sentence and writes nothing for %s', async (_, name, options, changes, message) => {
    const before = readdirSync(folder);
    const settings = { catalogDirs: [folder], mcpRegistryUrl: servers.url, ...changes };
    const asked = { name, version: 'latest', id: 'other', category: 'dev', network: 'any', ...options };
    await expect(importServer(settings, asked)).rejects.toThrow(message);
    expect(readdirSync(folder)).toEqual(before);
  });

  // These ask npm, whose registry is that of the environment.
  it.each([
    ['a package that npm does not know', 'lost', /npm does not know/],
    ['a package without a program', 'library', /no program/],
    ['an archive other than fileSha256 names', 'forged', /SHA-256/],
  ])('ends with 78 for %s', async (_, name, message) => {
    const { code, said } = await importing([`io.github.acme/${name}`, '--id', 'other']);
    expect({ code, said }).toEqual({ code: 78, said: expect.stringMatching(message) });
    expect(readdirSync(folder)).not.toContain('other.json');
  });
});

describe('the published catalogue', () => {
  const list = (query = '') => anonymous(service).get<Published>(`/v0.1/servers${query}`);
  type Published = {
    servers: { server: { name: string } }[];
    metadata: { nextCursor?: string; count: number };
  };

  it('is read in pages without authentication', async () => {
    const all = (await list('?limit=100')).body;
    const names: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const { body } = await list(`?limit=15${cursor && `&cursor=${cursor}`}`);
      names.push(...body.servers.map(({ server }) => server.name));
      cursor = body.metadata.nextCursor;
    }
    expect(names).toEqual(all.servers.map(({ server }) => server.name));
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining(['io.github.acme/greeter', 'io.github.makenotion/notion-mcp-server']),
    );
    expect((await list('?search=NOTION&version=latest')).body.metadata).toEqual({ count: 1 });
    expect((await list('?cursor=x')).status).toBe(400);
    const path = `/v0.1/servers/${encodeURIComponent('io.github.acme/greeter')}/versions`;
    expect((await anonymous(service).get(path)).body).toMatchObject({ metadata: { count: 1 } });
    expect((await anonymous(service).get(`${path}/9`)).status).toBe(404);
  });

  it('is a registry from which an import reads', async () => {
    const name = 'io.github.MicrosoftDocs/mcp';
    const imported = await importing([name, '--id', 'again'], { MCP_REGISTRY_URL: service.baseUrl });
    expect(imported).toMatchObject({ code: 0 });
    expect(entryOf('again')).toMatchObject({ transport: 'http', publisher: 'io.github.MicrosoftDocs' });
  });
});

servers.respond('io.github.acme/liar', 'latest', { server: greeter });
servers.respond('io.github.acme/empty', 'latest', { servers: [] });
servers.respond('io.github.acme/words', 'latest', 'no JSON');
servers.respond('io.github.acme/endless', 'latest', `"${'x'.repeat(9 * 1024 * 1024)}"`);
const other = (short: string, changes: object) =>
  servers.publish({
    ...greeter,
    name: `io.github.acme/${short}`,
    packages: [{ ...greeter.packages[0], ...changes }],
  });
other('lost', { identifier: '@acme/lost' });
other('library', { identifier: '@acme/library', version: '1.0.0' });
other('forged', { fileSha256: 'a'.repeat(64) });
other('image', { registryType: 'oci', identifier: 'ghcr.io/acme/greeter:2' });
await packages.publish({ name: '@acme/library', version: '1.0.0' }, { 'index.mjs': '' });

describe('POST /api/mcp/catalog/imports', () => {
  const imports = '/api/mcp/catalog/imports';
  const readme =
    '- `ACME_TOKEN` (required): The token.\n```json\n{"command":"npx","args":["@acme/singer","--key=x"]}\n```';
  const files = { 'index.mjs': main, 'minimal-server.mjs': kit, 'README.md': readme };

  it('shows what a package would be, stores it as reviewed by the caller, and it can be installed', async () => {
    const singer = { name: '@acme/singer', version: '1.0.0', bin: './index.mjs', engines: { node: '>=99' } };
    await packages.publish(singer, files);
    const unreviewed = await service.owner.post(`${imports}?dryRun=true`, { package: '@acme/singer' });
    expect(unreviewed.body).toMatchObject({
      notes: [expect.stringMatching(/--key/), expect.stringMatching(/needs node >=99, and this host has/)],
      entry: { verified: false, installable: false, runtimeVersion: '>=99' },
    });
    const body = { package: '@acme/singer', hosts: ['api.acme.example'], reviewed: true };
    const looked = await service.owner.post(`${imports}?dryRun=true`, body);
    expect(looked).toMatchObject({
      status: 200,
      body: {
        dryRun: true,
        notes: [expect.stringMatching(/--key/), expect.stringMatching(/needs node >=99/)],
        entry: {
          ...{ id: 'acme-singer', name: 'Singer', version: '1.0.0', verified: true, installable: true },
          manifest: { network: { hosts: ['api.acme.example'] } },
          environmentVariables: [{ name: 'ACME_TOKEN', isRequired: true, isSecret: true }],
        },
      },
    });
    expect(readdirSync(folder)).not.toContain('acme-singer.json');
    expect((await service.owner.get('/api/mcp/catalog/acme-singer')).status).toBe(404);

    expect(await service.owner.post(imports, body)).toMatchObject({ status: 200, body: { dryRun: false } });
    const { verifiedBy } = entryOf('acme-singer');
    expect(verifiedBy).toBe((await service.owner.get<{ name: string }>('/api/auth/me')).body.name);
    const [last] = await service.sql<{ data: object }>(
      `SELECT data FROM journal WHERE type = 'mcp.catalog.imported' ORDER BY position DESC LIMIT 1`,
    );
    expect(last?.data).toEqual({
      catalogId: 'acme-singer',
      name: 'Singer',
      version: '1.0.0',
      reviewed: true,
    });
    const envValues = { ACME_TOKEN: canary('a token of the singer') };
    const server = await aVerifiedServer(service.owner, 'acme-singer', { envValues });
    expect(await tryOut(service.owner, server, 'greet')).toContain('undefined');
    expect(readdirSync(join(service.dataDir, 'mcp', 'imports'))).toEqual([]);
  });

  it('takes the place of an earlier import of its package, and of nothing else', async () => {
    const without = await service.owner.post(imports, { package: 'npm:@acme/singer' });
    expect(without).toMatchObject({
      ...refused(409, 'not_importable'),
      text: expect.stringMatching(/"acme-singer\.json exists already.*replace/),
    });
    expect(entryOf('acme-singer').verified).toBe(true);
    const again = await service.owner.post(imports, { package: 'npm:@acme/singer', replace: true });
    expect(again).toMatchObject({
      status: 200,
      body: { notes: expect.arrayContaining([expect.stringMatching(/takes the place of Singer 1\.0\.0/)]) },
    });
    expect(entryOf('acme-singer')).toMatchObject({ verified: false });
    await packages.publish({ name: 'greeter', version: '9.0.0', bin: './index.mjs' }, files);
    expect(await service.owner.post(imports, { package: 'greeter' })).toMatchObject({
      ...refused(409, 'not_importable'),
      text: expect.stringContaining('no import of greeter'),
    });
  });

  it('stores one of several packages with one id that come at once, whole', async () => {
    const rivals = ['acme-b-c', 'acme.b.c', 'acme_b_c'];
    for (const name of rivals) await packages.publish({ name, version: '1.0.0', bin: './index.mjs' }, files);
    const answers = await Promise.all(
      [...rivals, ...rivals].map((name) => service.owner.post<{ code?: string }>(imports, { package: name })),
    );
    const stored = entryOf('acme-b-c').manifest.package.name;
    const won = answers.flatMap(({ status }, at) => (status === 200 ? [rivals[at % 3]] : []));
    expect([...new Set(won)]).toEqual([stored]);
    const lost = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
    expect(new Set(lost)).toEqual(new Set(['not_importable']));
    expect(readdirSync(folder).filter((file) => file.endsWith('.draft'))).toEqual([]);
  });

  it('says that another file of the catalogue is not valid', async () => {
    writeFileSync(join(folder, 'broken.json'), '{');
    const answer = await service.owner.post(imports, { package: '@acme/singer' });
    rmSync(join(folder, 'broken.json'));
    expect(answer).toMatchObject({
      ...refused(409, 'not_importable'),
      text: expect.stringContaining('Another file of the catalogue is not valid'),
    });
  });

  it('refuses a package that is unknown or no server, and a folder that is missing', async () => {
    expect(await service.owner.post(imports, { package: '@acme/nobody' })).toMatchObject(
      refused(502, 'package_unavailable'),
    );
    await packages.publish({ name: '@acme/library', version: '1.0.0' }, { 'index.mjs': '' });
    const library = await service.owner.post(imports, { package: '@acme/library@1.0.0' });
    expect(library).toMatchObject({
      ...refused(409, 'not_importable'),
      text: expect.stringContaining('no program'),
    });
    for (const wrong of ['../x', '--registry=x', '@acme/singer@^1', 'https://a.example'])
      expect(await service.owner.post(imports, { package: wrong })).toMatchObject(
        refused(400, 'validation_failed'),
      );
    await (await allowing)?.stop();
    const { owner } = await service.second({ CATALOG_DIRS: '' });
    const nowhere = await owner.post(imports, { package: '@acme/greeter' });
    expect(nowhere).toMatchObject({
      ...refused(409, 'not_importable'),
      text: expect.stringContaining('CATALOG_DIRS'),
    });
  });
});

(noChromium === null ? describe : describe.skip)('a package on the dashboard', () => {
  const browser = dashboardBrowser(() => service);

  it('is looked at, reviewed and added by its name, and leads to its installation', async () => {
    const readme =
      '```json\n{"command": "npx", "args": ["@acme/dancer", "--token=x"], "env": {"DANCER_KEY": ""}}\n```';
    const files = { 'index.mjs': main, 'minimal-server.mjs': kit, 'README.md': readme };
    await packages.publish({ name: '@acme/dancer', version: '1.0.0', bin: './index.mjs' }, files);
    // The answer to the unknown package.
    browser.mayNote('502');
    const { page, problems } = await browser.signedIn('/catalog');
    await confirmPassword(page, OWNER.password);
    await page.getByRole('button', { name: 'Add from npm' }).click();
    await page.getByRole('textbox', { name: 'Package' }).fill('@acme/nobody');
    await page.keyboard.press('Enter');
    await page.getByText(/no such package or version/).waitFor();
    await page.getByRole('textbox', { name: 'Package' }).fill('@acme/dancer');
    await page.getByRole('textbox', { name: 'Hosts' }).fill('api.acme.example');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Add Dancer' }).waitFor();
    await page.getByText('DANCER_KEY', { exact: true }).waitFor();
    await page.getByText('api.acme.example', { exact: true }).waitFor();
    await page.getByText(/passes a secret by --token/).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('checkbox', { name: /I have reviewed/ }).check();
    await page.getByRole('button', { name: 'Add to the catalogue' }).click();
    await page.getByRole('heading', { name: 'Dancer', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Install', exact: true }).waitFor();
    expect(entryOf('acme-dancer')).toMatchObject({
      verified: true,
      manifest: { network: { hosts: ['api.acme.example'] } },
    });
    expect(problems.filter((problem) => !problem.includes('502'))).toEqual([]);
  });
});
