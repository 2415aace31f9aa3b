import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { canary } from '../../support/canary.js';
import { anonymous, asAdmin, asAgent, asEditor } from '../../support/callers.js';
import { createdBy, someName } from '../../support/builders.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from './local-catalog.js';
import {
  aServer,
  aVerifiedServer,
  callTool,
  pathOf,
  processesNaming,
  tryOut,
  verify,
  type Installed,
} from './servers.js';

const unknown = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06';
const catalog = new LocalCatalog()
  .stdio('polite', ['misbehaving.mjs', 'polite'])
  .stdio('named', ['misbehaving.mjs', 'polite'], { name: 'Ünïque Name' })
  .stdio('runtimeless', ['misbehaving.mjs', 'polite'], {
    runtime: 'pipx',
    manifest: {
      package: {
        registry: 'pypi',
        name: 'nothing',
        version: '1.0.0',
        integrity: `sha256-${'A'.repeat(43)}=`,
      },
    },
  })
  .stdio('unpinned', ['misbehaving.mjs', 'polite'], {
    runtime: 'python',
    version: 'unpinned',
    manifest: { package: { registry: 'pypi', name: 'nothing', version: null, integrity: null } },
  })
  .stdio('nowhere', ['misbehaving.mjs', 'polite'], {
    runtime: 'node',
    manifest: {
      package: {
        registry: 'npm',
        name: '@awp-no-such-scope/nothing',
        version: '1.0.0',
        integrity: `sha512-${'A'.repeat(86)}==`,
      },
    },
  })
  .stdio('configured', ['misbehaving.mjs', 'polite'], {
    variables: [
      { name: 'API_TOKEN', isRequired: true, isSecret: true },
      { name: 'REGION', isRequired: true, default: 'eu' },
      { name: 'LEVEL', choices: ['low', 'high'] },
      { name: 'LIMIT', format: 'number' },
      { name: 'FOLDER', format: 'filepath' },
      { name: 'CODE', pattern: '[a-z]{3}' },
    ],
  })
  .http('remote', 'http://127.0.0.1:9/mcp', {
    headers: { Authorization: 'Bearer {env:TOKEN}' },
    variables: [{ name: 'TOKEN', isRequired: true, isSecret: true }],
  });
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());

const faultsOf = (answer: { body: unknown }) =>
  (answer.body as { errors: { path: string; message: string }[] }).errors;
const pathsOf = (answer: { body: unknown }) => faultsOf(answer).map(({ path }) => path);
const installing = (body: object) => service.owner.post('/api/mcp/installed', body);
const rows = (table: string) => service.sql(`SELECT * FROM ${table}`);
/** Returns the names of the server folders; a server that never ran has none. */
const foldersOfServers = () => {
  const folder = join(service.dataDir, 'mcp', 'servers');
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe('the limits of an installed server', () => {
  const none = { memoryMb: null, processes: null, openFiles: null, callTimeoutSeconds: null };
  const limitsOf = async (server: Installed) =>
    (await service.owner.get<{ limits: object }>(pathOf(server))).body.limits;

  it('are set at installation, change by name, and replace its processes', async () => {
    const server = await createdBy<Installed>(service.owner, '/api/mcp/installed', {
      catalogId: 'polite',
      limits: { memoryMb: 300, callTimeoutSeconds: 90 },
    });
    expect(await limitsOf(server)).toEqual({ ...none, memoryMb: 300, callTimeoutSeconds: 90 });
    const change = { limits: { processes: 50, callTimeoutSeconds: null } };
    const answer = await service.owner.put(pathOf(server), change);
    expect(answer.body).toMatchObject({ limits: { ...none, memoryMb: 300, processes: 50 } });
    const [row] = await service.sql<{ revision: number }>(
      `SELECT revision FROM installed_servers WHERE id = '${server.id}'`,
    );
    await service.owner.put(pathOf(server), { limits: { processes: 50 } });
    const [same] = await service.sql(`SELECT revision FROM installed_servers WHERE id = '${server.id}'`);
    expect(same).toEqual(row);
    const entries = await service.sql<{ data: object }>(
      `SELECT data FROM journal WHERE subject_id = '${server.id}' AND type = 'mcp.server.updated'`,
    );
    expect(entries.map(({ data }) => data)).toEqual([
      {
        limits: {
          old: { memoryMb: 300, callTimeoutSeconds: 90 },
          new: { memoryMb: 300, processes: 50 },
        },
      },
    ]);
  });

  it('hold for a tool call of the server', async () => {
    const server = await aVerifiedServer(service.owner, 'polite', { limits: { callTimeoutSeconds: 1 } });
    const answer = await tryOut(service.owner, server, 'wait', { ms: 60_000 });
    expect(answer).toMatch(/did not answer within 1 s/);
  });

  it('are rejected outside of their ranges', async () => {
    const limits = { memoryMb: 1, processes: 1.5, openFiles: '9', callTimeoutSeconds: 100_000, other: 1 };
    const answer = await installing({ catalogId: 'polite', limits });
    expect(answer.status).toBe(400);
    const names = ['memoryMb', 'processes', 'openFiles', 'callTimeoutSeconds', 'other'];
    expect(pathsOf(answer).toSorted()).toEqual(names.map((name) => `limits.${name}`).toSorted());
  });
});

describe('POST installed', () => {
  it('stores an enabled server and returns only the names of its variables', async () => {
    const answer = await installing({
      catalogId: 'configured',
      name: 'My server',
      envValues: { API_TOKEN: canary('a token of mine'), LEVEL: 'low' },
    });
    expect(answer.status).toBe(201);
    const server = answer.body as unknown as Installed;
    expect(answer.headers['location']).toBe(pathOf(server));
    expect(server).toEqual({
      id: expect.any(String),
      ...{
        name: 'My server',
        slug: 'my-server',
        catalogId: 'configured',
        transport: 'stdio',
        status: 'enabled',
        statusReason: null,
      },
      ...{
        lastVerification: null,
        configuredEnv: ['API_TOKEN', 'LEVEL'],
        missingEnv: [],
        limits: { memoryMb: null, processes: null, openFiles: null, callTimeoutSeconds: null },
        catalogVersion: '1.0.0',
        updateAvailable: false,
      },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect((await service.owner.get(pathOf(server))).body).toEqual(server);
    expect((await service.owner.get<Installed[]>('/api/mcp/installed')).body).toContainEqual(server);
  });

  it('numbers name and slug of further servers of one entry, also of concurrent installations', async () => {
    const made = await Promise.all(
      Array.from({ length: 4 }, () =>
        createdBy<Installed>(service.owner, '/api/mcp/installed', { catalogId: 'named' }),
      ),
    );
    const names = ['Ünïque Name', 'Ünïque Name 2', 'Ünïque Name 3', 'Ünïque Name 4'];
    expect(made.map(({ name }) => name).toSorted()).toEqual(names);
    expect(made.map(({ slug }) => slug).toSorted()).toEqual([
      'unique-name',
      'unique-name-2',
      'unique-name-3',
      'unique-name-4',
    ]);
  });

  it('rejects a taken name, also for one of two concurrent requests', async () => {
    const name = someName('server');
    const answers = await Promise.all([1, 2, 3].map(() => installing({ catalogId: 'polite', name })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'name_taken' });
  });

  it('rejects an entry that the catalogue lacks', async () => {
    const answer = await installing({ catalogId: 'no-such-entry', envValues: { ANY: 'value' } });
    expect([answer.status, pathsOf(answer)]).toEqual([400, ['catalogId']]);
  });

  it('reports every invalid value by name and stores nothing', async () => {
    const before = await rows('installed_servers');
    const answer = await installing({
      catalogId: 'configured',
      envValues: {
        REGION: null,
        LEVEL: 'middling',
        LIMIT: 'many',
        CODE: 'ABC',
        OTHER: 'undeclared',
        PATH: '/bin',
        FOLDER: service.dataDir,
      },
    });
    expect(answer.status).toBe(400);
    const names = ['API_TOKEN', 'CODE', 'FOLDER', 'LEVEL', 'LIMIT', 'OTHER', 'PATH', 'REGION'];
    expect(pathsOf(answer).toSorted()).toEqual(names.map((name) => `envValues.${name}`));
    expect(await rows('installed_servers')).toEqual(before);
  });

  it('rejects a path whose folder is not on this host, at installation and in a change', async () => {
    const FOLDER = join(import.meta.dirname, 'no-such-folder');
    const envValues = { API_TOKEN: canary('a token'), FOLDER };
    const answer = await installing({ catalogId: 'configured', envValues });
    expect([answer.status, pathsOf(answer)]).toEqual([400, ['envValues.FOLDER']]);
    expect(JSON.stringify(answer.body)).toMatch(/is not on this host/);
    const server = await aServer(service.owner, 'configured', {
      envValues: { ...envValues, FOLDER: import.meta.dirname },
    });
    const change = await service.owner.put(pathOf(server), { envValues: { FOLDER } });
    expect([change.status, pathsOf(change)]).toEqual([400, ['envValues.FOLDER']]);
  });

  it.each([
    ['empty', ''],
    ['a number', 5],
    ['null', null],
    ['an object', {}],
    ['longer than 32 KiB', canary('').padEnd(32 * 1024 + 1, 'x')],
    ['with NUL', canary('a\0b')],
    ['half of a surrogate pair', '\ud800'],
  ])('rejects a required value that is %s', async (_, value) => {
    const answer = await installing({ catalogId: 'configured', envValues: { API_TOKEN: value } });
    expect([answer.status, pathsOf(answer)]).toEqual([400, ['envValues.API_TOKEN']]);
  });

  it.each(['a\r\nX-Evil: 1', 'a\nb', 'a\rb'].map(canary))(
    'refuses a line break in the value of a header',
    async (TOKEN) => {
      const answer = await installing({ catalogId: 'remote', envValues: { TOKEN } });
      expect([answer.status, pathsOf(answer)]).toEqual([400, ['envValues.TOKEN']]);
    },
  );

  it('accepts a value of 32 KiB and does not require a value that has a default', async () => {
    const server = await aServer(service.owner, 'configured', {
      envValues: { API_TOKEN: canary('').padEnd(32 * 1024, 'x'), LEVEL: null },
    });
    expect(server).toMatchObject({ configuredEnv: ['API_TOKEN'], missingEnv: [] });
  });

  it('rejects an entry whose runtime is missing and says how to get it', async () => {
    const answer = await installing({ catalogId: 'runtimeless' });
    expect([answer.status, answer.body['code']]).toEqual([409, 'runtime_not_detected']);
    expect(answer.body['detail']).toMatch(/pipx/);
  });

  it('rejects an entry that names no exact package', async () => {
    expect((await installing({ catalogId: 'unpinned' })).body).toMatchObject({
      status: 409,
      code: 'not_installable',
    });
  });

  it('leaves neither a row nor a folder if the package cannot be fetched', async () => {
    const [servers, credentials, folders] = [
      await rows('installed_servers'),
      await rows('server_credentials'),
      foldersOfServers(),
    ];
    const answer = await installing({ catalogId: 'nowhere' });
    expect([answer.status, answer.body['code']]).toEqual([502, 'package_unavailable']);
    expect([await rows('installed_servers'), await rows('server_credentials')]).toEqual([
      servers,
      credentials,
    ]);
    expect(foldersOfServers()).toEqual(folders);
  });

  it('rejects unknown fields and values that are not an object', async () => {
    expect(pathsOf(await installing({ catalogId: 'polite', envs: {} }))).toEqual(['envs']);
    expect(pathsOf(await installing({ catalogId: 'polite', envValues: ['x'] }))).toEqual(['envValues']);
  });
});

describe('PUT installed', () => {
  it('merges values by name: a value replaces, null removes, others stay', async () => {
    const server = await aServer(service.owner, 'configured', {
      envValues: { API_TOKEN: canary('the first token'), LEVEL: 'low', LIMIT: '3' },
    });
    const changed = await service.owner.put<Installed>(pathOf(server), {
      envValues: { LEVEL: null, LIMIT: '5', CODE: 'abc' },
    });
    expect(changed.body.configuredEnv).toEqual(['API_TOKEN', 'CODE', 'LIMIT']);
    const environment = JSON.parse(await tryOut(service.owner, server, 'environment')) as Record<
      string,
      string
    >;
    expect(environment).toMatchObject({ LIMIT: '5', CODE: 'abc', REGION: 'eu' });
    expect(environment).not.toHaveProperty('LEVEL');
  });

  it('lets running calls finish with the old values and gives new calls the new ones', async () => {
    const server = await aServer(service.owner, 'configured', {
      envValues: { API_TOKEN: canary('the first token'), CODE: 'old' },
    });
    for (const calls of ['1', '2']) expect(await tryOut(service.owner, server, 'count')).toBe(calls);
    const running = tryOut(service.owner, server, 'wait', { ms: 1_500 });
    await service.owner.put(pathOf(server), { envValues: { CODE: 'new' } });
    expect(JSON.parse(await tryOut(service.owner, server, 'environment'))).toMatchObject({ CODE: 'new' });
    expect(await tryOut(service.owner, server, 'count')).toBe('1');
    expect(await running).toBe('waited');
  });

  it('ends processes with the old values even if no call is made', async () => {
    const server = await aServer(service.owner, 'configured', {
      envValues: { API_TOKEN: canary('the first token') },
    });
    await tryOut(service.owner, server, 'echo');
    expect(processesNaming(server.id)).not.toEqual([]);
    await service.owner.put(pathOf(server), { envValues: { API_TOKEN: canary('the second token') } });
    await until(() => processesNaming(server.id).length === 0);
  });

  it('rejects null for a required value and reports the other errors with it', async () => {
    const server = await aServer(service.owner, 'configured', {
      envValues: { API_TOKEN: canary('the first token') },
    });
    const answer = await service.owner.put(pathOf(server), {
      envValues: { API_TOKEN: null, LIMIT: 'x', NOPE: 'y' },
    });
    expect([answer.status, pathsOf(answer)]).toEqual([
      400,
      ['envValues.API_TOKEN', 'envValues.LIMIT', 'envValues.NOPE'],
    ]);
    expect((await service.owner.get(pathOf(server))).body).toEqual(server);
  });

  it('changes the name but never the slug, and rejects a taken name', async () => {
    const [server, other] = [await aServer(service.owner, 'polite'), await aServer(service.owner, 'polite')];
    const renamed = await service.owner.put<Installed>(pathOf(server), { name: '  Another name ' });
    expect(renamed.body).toMatchObject({ name: 'Another name', slug: server.slug });
    expect((await service.owner.put(pathOf(server), { name: other.name })).body).toMatchObject({
      status: 409,
      code: 'name_taken',
    });
    expect((await service.owner.put(pathOf(server), { name: null })).status).toBe(400);
  });

  it('changes nothing for an empty request', async () => {
    const server = await aServer(service.owner, 'polite');
    expect((await service.owner.put(pathOf(server), {})).body).toEqual(server);
  });
});

describe('disabling and enabling a server', () => {
  it('ends its processes at once and reports the reason to callers', async () => {
    const server = await aVerifiedServer(service.owner, 'polite');
    const running = callTool(service.owner, server, 'wait', { ms: 60_000 });
    await until(() => processesNaming(server.id).length > 0);
    expect((await service.owner.post(`${pathOf(server)}/disable`)).status).toBe(204);
    expect(processesNaming(server.id)).toEqual([]);
    const { body } = await running;
    expect(body.isError).toBe(true);
    expect(body.content[0]!.text).toMatch(/disabled/);
    expect((await callTool(service.owner, server, 'echo')).body).toMatchObject({ isError: true });
    expect(processesNaming(server.id)).toEqual([]);
  });

  it('has no further effect when it is repeated', async () => {
    const server = await aServer(service.owner, 'polite');
    const statuses = [];
    for (const action of ['disable', 'disable', 'enable', 'enable']) {
      expect((await service.owner.post(`${pathOf(server)}/${action}`)).status).toBe(204);
      statuses.push((await service.owner.get<Installed>(pathOf(server))).body.status);
    }
    expect(statuses).toEqual(['disabled', 'disabled', 'enabled', 'enabled']);
    const journal = await service.sql<{ type: string }>(
      `SELECT type FROM journal WHERE subject_id = $1 ORDER BY position`,
      [server.id],
    );
    expect(journal.map(({ type }) => type)).toEqual([
      'mcp.server.installed',
      'mcp.server.disabled',
      'mcp.server.enabled',
    ]);
  });

  it('enables a server with the status error', async () => {
    const server = await aServer(service.owner, 'polite');
    await service.sql(
      `UPDATE installed_servers SET status = 'error', status_reason = 'broken' WHERE id = $1`,
      [server.id],
    );
    expect((await service.owner.post(`${pathOf(server)}/enable`)).status).toBe(204);
    expect((await service.owner.get(pathOf(server))).body).toMatchObject({
      status: 'enabled',
      statusReason: null,
    });
  });
});

describe('removing a server', () => {
  it('leaves no process, credential, grant, tool or folder', async () => {
    const server = await aServer(service.owner, 'configured', {
      envValues: { API_TOKEN: canary('the first token') },
    });
    const agent = await asAgent(service);
    await verify(service.owner, server);
    await service.owner.put(`${pathOf(server)}/access`, { entries: [{ agentId: agent.id, granted: true }] });
    await tryOut(service.owner, server, 'echo');
    expect(foldersOfServers()).toContain(server.id);
    expect((await service.owner.delete(pathOf(server))).status).toBe(204);
    expect(processesNaming(server.id)).toEqual([]);
    for (const table of ['server_credentials', 'server_access', 'server_tools'])
      expect(await service.sql(`SELECT * FROM ${table} WHERE server_id = $1`, [server.id])).toEqual([]);
    expect(foldersOfServers()).not.toContain(server.id);
    expect((await service.owner.get(pathOf(server))).status).toBe(404);
    expect((await service.owner.delete(pathOf(server))).status).toBe(404);
  });
});

describe('every route of installed servers', () => {
  const routes: [method: string, path: string, body?: object][] = [
    ['GET', ''],
    ['PUT', '', {}],
    ['DELETE', ''],
    ['POST', '/verify'],
    ['POST', '/enable'],
    ['POST', '/disable'],
    ['POST', '/upgrade'],
    ['GET', '/tools'],
    ['POST', '/tools/approve'],
    ['POST', '/tools/echo/call', {}],
    ['GET', '/logs'],
    ['GET', '/access'],
    ['PUT', '/access', { entries: [] }],
    ['GET', '/credential-sets'],
    ['POST', '/credential-sets', { name: 'x', envValues: {} }],
    ['PUT', '/credential-sets/default', { envValues: {} }],
    ['POST', '/credential-sets/default/revoke'],
    ['DELETE', '/credential-sets/default'],
  ];

  it.each(routes)('%s %s returns 404 for an unknown or malformed id', async (...[method, path, body]) => {
    for (const id of [unknown, 'nonsense'])
      expect((await service.owner.request(method, `/api/mcp/installed/${id}${path}`, { body })).status).toBe(
        404,
      );
  });

  it.each([
    ['GET', ''],
    ['POST', '', { catalogId: 'polite' }],
    ...routes.map(([method, path, body]) => [method, `/${unknown}${path}`, body]),
  ] as typeof routes)(
    '%s /api/mcp/installed%s requires an Admin with a key',
    async (...[method, path, body]) => {
      const callers = [anonymous(service), await asEditor(service), await asAgent(service)];
      const statuses = await Promise.all(
        callers.map(
          async (caller) => (await caller.request(method, `/api/mcp/installed${path}`, { body })).status,
        ),
      );
      expect(statuses).toEqual([401, 403, 403]);
    },
  );

  it('requires HTTPS for credentials before any other check', async () => {
    const headers = { 'x-forwarded-proto': 'https' };
    const admin = await asAdmin(service);
    for (const [method, path] of [
      ['POST', ''],
      ['PUT', `/${unknown}`],
    ] as const)
      expect(
        (await admin.request(method, `/api/mcp/installed${path}`, { body: {}, headers })).body,
      ).toMatchObject({ code: 'https_required' });
    expect((await admin.post(`/api/mcp/installed/${unknown}/enable`, undefined, { headers })).status).toBe(
      404,
    );
  });
});
