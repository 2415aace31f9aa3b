import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import request from 'supertest';
import { CatalogController } from '../../../src/mcp/catalog/catalog.controller.js';
import { CatalogFault } from '../../../src/mcp/catalog/catalog.errors.js';
import { CatalogModule } from '../../../src/mcp/catalog/catalog.module.js';
import { HostEnvironment } from '../../../src/mcp/runtime/host-environment.js';
import { RuntimeController } from '../../../src/mcp/runtime/runtime.controller.js';
import { RuntimeModule } from '../../../src/mcp/runtime/runtime.module.js';
import { RuntimeService } from '../../../src/mcp/runtime/runtime.service.js';
import { ROUTE_POLICY } from '../../../src/platform/auth/policy.js';
import { ConfigModule } from '../../../src/platform/config/config.module.js';
import { loadSettings } from '../../../src/platform/config/load-settings.js';
import { KnownRoutes } from '../../../src/platform/http/known-routes.js';
import { ProblemFilter } from '../../../src/platform/http/problem.filter.js';
import { validationPipe } from '../../../src/platform/http/validation.pipe.js';

const summaryFields =
  'id name description category transport runtime verified verifiedBy version publisher homepage license installInstructions requiresCredentials installable installableReason'.split(
    ' ',
  );

/** The two rooms alone, behind the pipe and the filter of the service; who may call is the guard's concern. */
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

  it('is listed whole, by id, each entry with its summary and no more', async () => {
    const { body } = await get('/api/mcp/catalog').expect(200);
    expect(body.length).toBeGreaterThanOrEqual(35);
    for (const entry of body) expect(Object.keys(entry).toSorted()).toEqual(summaryFields.toSorted());
    const ids = body.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(ids.toSorted());
  });

  it('is narrowed by category, transport, runtime and words', async () => {
    expect(await idsOf('category=productivity')).toEqual(expect.arrayContaining(['memory', 'notion']));
    expect(await idsOf('category=productivity')).not.toContain('github');
    expect(await idsOf('transport=sse')).toEqual(['globalping', 'paypal']);
    expect(await idsOf('runtime=python')).toEqual(['fetch', 'git', 'time']);
    expect(await idsOf('category=dev&runtime=node&q=BROWSER+microsoft')).toEqual(['playwright']);
    expect(await idsOf('q=nothing+has+this')).toEqual([]);
  });

  it.each([
    'category=fun',
    'transport=ws',
    'runtime=ruby',
    'category=dev&category=saas',
    'kategory=dev',
    'category[a]=dev',
  ])('is not told for %s: 400 names the parameter', async (query) => {
    const { body } = await get(`/api/mcp/catalog?${query}`).expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: query.split('=')[0] }] });
  });

  it('tells every entry as its schema says, with the defaults filled in', async () => {
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    const schema = resolve(import.meta.dirname, '../../../src/mcp/catalog/catalog-entry.schema.json');
    const isEntry = ajv.compile(JSON.parse(await readFile(schema, 'utf8')));
    for (const id of await idsOf('')) {
      const { body } = await get(`/api/mcp/catalog/${id}`).expect(200);
      const { requiresCredentials, installable, installableReason, ...entry } = body;
      expect([id, isEntry(entry), isEntry.errors]).toEqual([id, true, null]);
      expect([typeof requiresCredentials, typeof installable]).toEqual(['boolean', 'boolean']);
      expect(installableReason === null).toBe(installable);
    }
  });

  it('tells how a server is started, and which variables it takes', async () => {
    const { body } = await get('/api/mcp/catalog/memory').expect(200);
    expect(Object.keys(body).toSorted()).toEqual(
      [...summaryFields, 'manifest', 'environmentVariables', 'runtimeVersion'].toSorted(),
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
        ...{ name: 'MEMORY_FILE_PATH', description: expect.any(String), isRequired: false, isSecret: false },
        ...{
          default: '{dataDir}/memory.jsonl',
          format: 'filepath',
          choices: null,
          placeholder: null,
          pattern: null,
          access: 'write',
        },
      },
    ]);
  });

  it('tells where a remote server is reached', async () => {
    const { body } = await get('/api/mcp/catalog/github').expect(200);
    expect(body).toMatchObject({ requiresCredentials: true, installable: true, installableReason: null });
    expect(body.manifest).toMatchObject({
      url: expect.stringMatching(/^https:/),
      headers: { Authorization: 'Bearer {env:GITHUB_PERSONAL_ACCESS_TOKEN}' },
    });
  });

  it('says of an entry that cannot be installed here what is lacking', async () => {
    const unpinned = await get('/api/mcp/catalog/time').expect(200);
    expect(unpinned.body).toMatchObject({
      installable: false,
      installableReason: expect.stringMatching(/exact package version/),
    });
    expect(unpinned.body.manifest.package).toMatchObject({
      registry: 'pypi',
      version: null,
      integrity: null,
    });
  });

  it.each(['unknown', 'MEMORY', '..%2Fmemory', '%00', '__proto__'])('has nothing at %s', async (id) => {
    expect((await get(`/api/mcp/catalog/${id}`).expect(404)).body.code).toBe('not_found');
  });

  it('stands beside a report of the runtimes', async () => {
    const { body } = await get('/api/mcp/runtime?refresh=true').expect(200);
    expect(body).toEqual({
      node: { detected: true, version: process.versions.node, path: process.execPath },
      python: { detected: false },
      pipx: { detected: false },
    });
    await get('/api/mcp/runtime?refresh=1').expect(400);
  });

  it('is for Admins with a key', () => {
    for (const [controller, methods] of [
      [CatalogController, ['list', 'get', 'reload']],
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

  it('is read beside the shipped one, from files that end in .json, links too', async () => {
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

  it('is read anew on demand', async () => {
    app = await anApp(folder);
    const { body: before } = await reload().expect(200);
    await write('acme', anEntry('acme'));
    await detail('acme').expect(404);
    expect((await reload().expect(200)).body).toEqual({ entries: before.entries + 1 });
    await detail('acme').expect(200);
  });

  it('stays as it was when a file has a fault; all faults are told, by file', async () => {
    await write('acme', anEntry('acme'));
    app = await anApp(folder);
    await write('acme', anEntry('acme', { name: 'Changed' }));
    await write('broken', '{ "id": ');
    await write('wrong', anEntry('wrong', { category: 'fun', extra: 1 }));
    await write('leaky', anEntry('leaky', { manifest: { url: 'https://{env:HOST}/' } }));
    await write('memory', anEntry('memory'));
    const { body } = await reload().expect(400);
    expect(body).toMatchObject({ code: 'validation_failed' });
    expect(body.errors).toEqual(
      expect.arrayContaining([
        { path: 'broken.json', message: expect.stringMatching(/not JSON/) },
        { path: 'wrong.json', message: expect.stringMatching(/unknown field: extra/) },
        { path: 'wrong.json#category', message: expect.stringMatching(/database/) },
        { path: 'leaky.json#manifest.url', message: expect.stringMatching(/HOST/) },
        { path: 'memory.json#id', message: expect.stringMatching(/twice/) },
      ]),
    );
    expect(JSON.stringify(body)).not.toContain(folder);
    expect((await detail('acme').expect(200)).body.name).toBe('Acme');
  });

  it('ends the start when it has a fault, naming each file and fault', async () => {
    await write(
      'wrong',
      anEntry('other', {
        environmentVariables: [{ name: 'PATH', description: 'P', isRequired: false, isSecret: false }],
      }),
    );
    await write('memory', anEntry('memory'));
    const fault = await anApp(folder, join(folder, 'missing')).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(CatalogFault);
    const { message } = fault as CatalogFault;
    expect(message).toMatch(/has 3 fault\(s\)/);
    expect(message).toContain(
      `${join(folder, 'wrong.json')}: environmentVariables[0].name is not allowed here`,
    );
    expect(message).toContain(`${join(folder, 'memory.json')}: id memory is given twice`);
    expect(message).toContain(`${join(folder, 'missing')}: the folder cannot be read (ENOENT)`);
  });
});
