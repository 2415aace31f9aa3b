import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import request from 'supertest';
import { CatalogController } from '../../../src/mcp/catalog/catalog.controller.js';
import { CatalogError } from '../../../src/mcp/catalog/catalog-files.js';
import { CatalogModule } from '../../../src/mcp/catalog/catalog.module.js';
import { RuntimeController } from '../../../src/mcp/runtime/runtime.controller.js';
import { RuntimeModule } from '../../../src/mcp/runtime/runtime.module.js';
import { HostEnvironment, RuntimeService } from '../../../src/mcp/runtime/runtime.service.js';
import { ROUTE_POLICY } from '../../../src/platform/authentication/route-policies-and-agent-itself.js';
import { ConfigModule } from '../../../src/platform/config/config.module.js';
import { loadSettings } from '../../../src/platform/config/load-settings.js';
import { ProblemFilter } from '../../../src/platform/http/problem.filter.js';
import { KnownRoutes } from '../../../src/platform/http/routes.js';
import { validationPipe } from '../../../src/platform/http/validation.pipe.js';

const summaryFields =
  'id name description category transport runtime verified verifiedBy version publisher homepage license installInstructions requiresCredentials credentialCheck installable installableReason'.split(
    ' ',
  );

/** Runs the two modules alone with the service's pipe and filter; the guard that checks the caller is left out. */
async function anApp(...catalogDirs: string[]): Promise<INestApplication> {
  const settings = loadSettings({ CATALOG_DIRS: catalogDirs.join(':') });
  const environment = new HostEnvironment({ PATH: '', HOME: '/' });
  const imports = [
    ConfigModule.with(settings),
    RuntimeModule.with(environment),
    CatalogModule.with(RuntimeService),
  ];
  const app = await NestFactory.create(
    { module: class Rooms {}, imports },
    { logger: false, abortOnError: false },
  );
  app.useGlobalPipes(validationPipe()).useGlobalFilters(new ProblemFilter(() => null, new KnownRoutes()));
  return await app.init();
}

const anEntry = (id: string, changes: object = {}) => ({
  ...{
    id,
    name: 'Acme',
    description: 'Acme tools.',
    category: 'dev',
    transport: 'http',
    runtime: 'none',
    version: '1',
  },
  manifest: { url: 'https://acme.example/mcp' },
  environmentVariables: [],
  ...changes,
});

describe('the catalogue', () => {
  let app: INestApplication;
  beforeAll(async () => {
    app = await anApp();
  });
  afterAll(() => app.close());
  const get = (path: string) => request(app.getHttpServer()).get(path);
  const idsOf = async (query: string) =>
    (await get(`/api/mcp/catalog?${query}`).expect(200)).body.map(({ id }: { id: string }) => id);

  it('lists the summary of every entry by id', async () => {
    const { body } = await get('/api/mcp/catalog').expect(200);
    expect(body.length).toBeGreaterThanOrEqual(35);
    for (const entry of body) expect(Object.keys(entry).toSorted()).toEqual(summaryFields.toSorted());
    const ids = body.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted());
  });

  it('filters by category, transport, runtime and words', async () => {
    expect(await idsOf('category=productivity')).toEqual(expect.arrayContaining(['memory', 'notion']));
    expect(await idsOf('category=productivity')).not.toContain('github');
    expect(await idsOf('transport=sse')).toEqual(['globalping', 'paypal']);
    expect(await idsOf('runtime=python')).toEqual(['fetch', 'git', 'time']);
    expect(await idsOf('category=dev&runtime=node&q=BROWSER+microsoft')).toEqual(['playwright']);
    expect(await idsOf('q=nothing+has+this')).toEqual([]);
  });

  it('filters by whether this host can install the entry', async () => {
    const [can, cannot] = [await idsOf('installable=true'), await idsOf('installable=false')];
    expect(can).toEqual(expect.arrayContaining(['github', 'memory']));
    expect(cannot).toEqual(['aws-documentation', 'clickhouse', 'fetch', 'git', 'memcached', 'time']);
    expect([...can, ...cannot].toSorted()).toEqual(await idsOf(''));
  });

  it.each([
    'category=fun',
    'transport=ws',
    'runtime=ruby',
    'category=dev&category=saas',
    'kategory=dev',
    'category[a]=dev',
    'installable=1',
  ])('returns 400 with the name of the parameter for %s', async (query) => {
    const { body } = await get(`/api/mcp/catalog?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: query.split('=')[0] }] });
  });

  it('returns every entry in the form of the schema with defaults filled in', async () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const schema = resolve(import.meta.dirname, '../../../src/mcp/catalog/catalog-entry.schema.json');
    const isEntry = ajv.compile(JSON.parse(await readFile(schema, 'utf8')));
    for (const id of await idsOf('')) {
      const { body } = await get(`/api/mcp/catalog/${id}`).expect(200);
      const { requiresCredentials, credentialCheck, installable, installableReason, ...entry } = body;
      expect([id, isEntry(entry), isEntry.errors]).toEqual([id, true, null]);
      expect([typeof requiresCredentials, typeof installable]).toEqual(['boolean', 'boolean']);
      expect(credentialCheck ?? 'Verify none').toMatch(/^Verify /);
      expect(installableReason === null).toBe(installable);
    }
  });

  it('returns how a server is started and which variables it reads', async () => {
    const { body } = await get('/api/mcp/catalog/memory').expect(200);
    expect(Object.keys(body).toSorted()).toEqual(
      [...summaryFields, 'manifest', 'environmentVariables', 'importedFrom', 'runtimeVersion'].toSorted(),
    );
    expect(body).toMatchObject({ installable: true, requiresCredentials: false });
    expect(body.manifest).toMatchObject({
      package: {
        registry: 'npm',
        name: '@modelcontextprotocol/server-memory',
        version: body.version,
        integrity: expect.stringMatching(/^sha512-/),
      },
      launch: { command: 'node', args: [expect.stringMatching(/^\{installDir\}/)], cwd: null },
      ...{
        runInstallScripts: false,
        sharing: 'agent',
        credentialProbe: null,
        serverJson: { version: body.version },
      },
    });
    expect(body.environmentVariables).toEqual([
      {
        name: 'MEMORY_FILE_PATH',
        description: expect.any(String),
        isRequired: false,
        isSecret: false,
        ...{
          default: '{dataDir}/memory.jsonl',
          format: 'filepath',
          choices: null,
          placeholder: null,
          pattern: null,
          access: 'write',
          searchPaths: null,
        },
      },
    ]);
  });

  it('returns the address of a remote server', async () => {
    const { body } = await get('/api/mcp/catalog/github').expect(200);
    expect(body).toMatchObject({ requiresCredentials: true, installable: true, installableReason: null });
    expect(body.manifest).toMatchObject({
      url: expect.stringMatching(/^https:/),
      headers: { Authorization: 'Bearer {env:GITHUB_PERSONAL_ACCESS_TOKEN}' },
    });
  });

  it('returns why an entry cannot be installed on this host', async () => {
    const { body } = await get('/api/mcp/catalog/time').expect(200);
    expect(body).toMatchObject({
      installable: false,
      installableReason: expect.stringMatching(/Time needs python, which was not found on this host/),
    });
  });

  it('returns the closure of a package of PyPI with its hashes', async () => {
    const { body } = await get('/api/mcp/catalog/time').expect(200);
    expect(body.manifest.package).toMatchObject({
      ...{ registry: 'pypi', name: 'mcp-server-time', version: body.version },
      integrity: expect.stringMatching(/^sha256-/),
    });
    expect(body.manifest.package.closure).toContainEqual({
      name: 'mcp',
      version: expect.stringMatching(/^1\./),
      files: [{ filename: expect.stringMatching(/\.whl$/), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
  });

  it.each(['unknown', 'MEMORY', '..%2Fmemory', '%00', '__proto__'])(
    'returns 404 for the id %s',
    async (id) => {
      expect((await get(`/api/mcp/catalog/${id}`).expect(404)).body.code).toBe('not_found');
    },
  );

  it('agrees with the report of the runtimes', async () => {
    const { body } = await get('/api/mcp/runtime?refresh=true').expect(200);
    expect(body).toEqual({
      node: { detected: true, version: process.versions.node, path: process.execPath },
      python: { detected: false },
      pipx: { detected: false },
    });
    await get('/api/mcp/runtime?refresh=1').expect(400);
  });

  it('requires an Admin with a key', () => {
    for (const [controller, methods] of [
      [CatalogController, ['list', 'get', 'reload', 'schema', 'check']],
      [RuntimeController, ['get']],
    ] as const)
      for (const method of methods)
        expect(Reflect.getMetadata(ROUTE_POLICY, Reflect.get(controller.prototype, method))).toMatchObject({
          public: false,
          role: 'Admin',
          agents: 'refused',
          bearerOnly: true,
        });
  });
});

describe("an operator's own catalogue", () => {
  let folder: string;
  let app: INestApplication | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'awp-catalog-'));
  });
  afterEach(async () => {
    await app?.close();
    app = undefined;
    await rm(folder, { recursive: true });
  });
  const write = (id: string, text: unknown) =>
    writeFile(join(folder, `${id}.json`), typeof text === 'string' ? text : JSON.stringify(text));
  const reload = () => request(app!.getHttpServer()).post('/api/mcp/catalog/reload');
  const detail = (id: string) => request(app!.getHttpServer()).get(`/api/mcp/catalog/${id}`);

  it('adds the entries of .json files, including links, to the shipped ones', async () => {
    await write('acme', anEntry('acme', { $schema: './x.json' }));
    await mkdir(join(folder, 'sub.json'));
    await writeFile(join(folder, 'README.md'), 'no entry');
    await writeFile(join(folder, 'linked'), JSON.stringify(anEntry('linked')));
    await symlink(join(folder, 'linked'), join(folder, 'linked.json'));
    app = await anApp(folder);
    await detail('memory').expect(200);
    await detail('linked').expect(200);
    expect((await detail('acme').expect(200)).body).toMatchObject({
      id: 'acme',
      manifest: { headers: {}, sharing: 'shared' },
    });
  });

  it('is read again by reload', async () => {
    app = await anApp(folder);
    const { body: before } = await reload().expect(200);
    await write('acme', anEntry('acme'));
    await detail('acme').expect(404);
    expect((await reload().expect(200)).body).toEqual({ entries: before.entries + 1 });
    await detail('acme').expect(200);
  });

  it('stays unchanged if a file is invalid, and reload returns every error by file', async () => {
    await write('acme', anEntry('acme'));
    app = await anApp(folder);
    await write('acme', anEntry('acme', { name: 'Changed' }));
    await write('broken', '{ "id": ');
    await write('wrong', anEntry('wrong', { category: 'fun', extra: 1 }));
    await write('leaky', anEntry('leaky', { manifest: { url: 'https://{env:HOST}/' } }));
    await write('memory', anEntry('memory'));
    await write('time', anEntry('time', { replaces: 'yes' }));
    const { body } = await reload().expect(400);
    expect(body).toMatchObject({ code: 'validation_failed' });
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { path: 'broken.json', message: expect.stringMatching(/not JSON/) },
        { path: 'wrong.json', message: expect.stringMatching(/unknown field: extra/) },
        { path: 'wrong.json#category', message: expect.stringMatching(/database/) },
        { path: 'leaky.json#manifest.url', message: expect.stringMatching(/HOST/) },
        {
          path: 'memory.json#id',
          message: expect.stringMatching(/twice: the other is the shipped.*replaces/),
        },
        { path: 'time.json#replaces', message: expect.stringMatching(/boolean/) },
      ]),
    );
    expect(JSON.stringify(body)).not.toContain(folder);
    expect((await detail('acme').expect(200)).body.name).toBe('Acme');
  });

  it('ends the start if it is invalid, with every file and error', async () => {
    await write(
      'wrong',
      anEntry('other', {
        environmentVariables: [{ name: 'PATH', description: 'P', isRequired: false, isSecret: false }],
      }),
    );
    await write('memory', anEntry('memory'));
    const error = await anApp(folder, join(folder, 'missing')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CatalogError);
    const { message } = error as CatalogError;
    expect(message).toMatch(/has 3 error\(s\)/);
    expect(message).toContain(
      `${join(folder, 'wrong.json')}: environmentVariables[0].name is not allowed here`,
    );
    expect(message).toContain(`${join(folder, 'memory.json')}: id memory is used twice`);
    expect(message).toContain(`${join(folder, 'missing')}: the folder cannot be read (ENOENT)`);
  });

  it('replaces a shipped entry if it says so', async () => {
    await write('memory', anEntry('memory', { replaces: true, name: 'Our memory' }));
    app = await anApp(folder);
    const { body } = await detail('memory').expect(200);
    expect(body).toMatchObject({ name: 'Our memory', transport: 'http' });
    expect(body).not.toHaveProperty('replaces');
    const { body: all } = await request(app.getHttpServer()).get('/api/mcp/catalog').expect(200);
    expect(all.filter(({ id }: { id: string }) => id === 'memory')).toHaveLength(1);
  });

  it('rejects an id that two of its folders have', async () => {
    await mkdir(join(folder, 'second'));
    await write('acme', anEntry('acme'));
    await write('second/acme', anEntry('acme', { replaces: true }));
    const error = await anApp(folder, join(folder, 'second')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CatalogError);
    expect((error as Error).message).toMatch(/id acme is used twice: another folder/);
  });
});

describe('the check of an entry', () => {
  let app: INestApplication;
  beforeAll(async () => {
    app = await anApp();
  });
  afterAll(() => app.close());
  const check = async (entry: unknown) =>
    (await request(app.getHttpServer()).post('/api/mcp/catalog/check').send({ entry }).expect(200)).body;

  it('accepts the examples of docs/catalogue.md', async () => {
    const page = await readFile(resolve(import.meta.dirname, '../../../docs/catalogue.md'), 'utf8');
    const examples = [...page.matchAll(/<!-- example: (\S+)\.json -->\s+```json\n([^]*?)```/g)];
    expect(examples.map(([, id]) => id)).toEqual(['stock', 'acme', 'reports', 'crm', 'desk', 'orders']);
    for (const [, id, text] of examples) {
      const entry = JSON.parse(text!);
      expect(entry.id).toBe(id);
      expect(await check(entry)).toEqual({ valid: true, errors: [] });
    }
  });

  it('returns every error with its path', async () => {
    const wrong = anEntry('wrong', { category: 'fun', extra: 1, name: undefined });
    expect(await check(wrong)).toEqual({
      valid: false,
      errors: expect.arrayContaining([
        { path: 'name', message: 'is required' },
        { path: 'category', message: expect.stringMatching(/database/) },
        { path: '', message: expect.stringMatching(/unknown field: extra/) },
      ]),
    });
    const leaky = anEntry('leaky', { manifest: { url: 'https://{env:HOST}/', headers: { A: '{x}' } } });
    expect((await check(leaky)).errors.map(({ path }: { path: string }) => path)).toEqual([
      'manifest.url',
      'manifest.headers.A',
    ]);
  });

  it('reports the id of a shipped entry that is not replaced', async () => {
    expect(await check(anEntry('memory'))).toMatchObject({
      valid: false,
      errors: [{ path: 'id', message: expect.stringMatching(/"replaces": true/) }],
    });
    expect(await check(anEntry('memory', { replaces: true }))).toEqual({ valid: true, errors: [] });
  });

  it('adds nothing to the catalogue', async () => {
    await check(anEntry('acme'));
    await request(app.getHttpServer()).get('/api/mcp/catalog/acme').expect(404);
  });

  it.each([undefined, null, 'text', []])('returns 400 for %j in place of an entry', async (entry) => {
    const { body } = await request(app.getHttpServer())
      .post('/api/mcp/catalog/check')
      .send({ entry })
      .expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'entry' }] });
  });

  it('uses the schema that is served', async () => {
    const { body } = await request(app.getHttpServer()).get('/api/mcp/catalog/schema').expect(200);
    const file = resolve(import.meta.dirname, '../../../src/mcp/catalog/catalog-entry.schema.json');
    expect(body).toEqual(JSON.parse(await readFile(file, 'utf8')));
  });
});
