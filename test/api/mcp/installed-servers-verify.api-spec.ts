import { afterAll, describe, expect, it } from '@jest/globals';
import type { VerificationRecordResponse } from '../../../src/mcp/installed-servers/verification.response.js';
import { asAdmin } from '../../support/callers.js';
import { canary } from '../../support/canary.js';
import { legacyServer, modernServer } from '../../support/mcp-servers/remote.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Wire } from '../../support/wire.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, type Installed, pathOf, processesNaming, tryOut, verify } from './servers.js';

const [old, modern] = [await legacyServer(), await modernServer()];
const withKey = {
  headers: { Authorization: 'Bearer {env:KEY}' },
  variables: [{ name: 'KEY', isRequired: true, isSecret: true }],
};
const secret = { variables: [{ name: 'KEY', isSecret: true }] };
const catalog = new LocalCatalog()
  .stdio('polite', ['misbehaving.mjs', 'polite'], secret)
  .stdio('both-ways', ['misbehaving.mjs', 'banner'])
  .stdio('exits', ['misbehaving.mjs', 'exit-at-once'])
  .stdio('garbage', ['misbehaving.mjs', 'garbage'])
  .stdio('stubborn', ['process-tree.mjs', 'stubborn'])
  .stdio('family', ['process-tree.mjs', 'daemon'])
  .stdio('accepting', ['misbehaving.mjs', 'polite'], {
    ...secret,
    manifest: { credentialProbe: { tool: 'echo', arguments: {} } },
  })
  .stdio('unprobed', ['misbehaving.mjs', 'polite'], {
    ...secret,
    manifest: { noProbeReason: 'its tools need none' },
  })
  .stdio('refusing', ['tools-from-file.mjs'], {
    variables: [...secret.variables, { name: 'TOOLS_FILE', format: 'filepath', isRequired: true }],
    manifest: { credentialProbe: { tool: 'refuse', arguments: {} } },
  })
  .stdio('unreachable', ['tools-from-file.mjs'], {
    variables: [...secret.variables, { name: 'TOOLS_FILE', format: 'filepath', isRequired: true }],
    manifest: { credentialProbe: { tool: 'unreachable', arguments: {} } },
  })
  .stdio('browser', ['misbehaving.mjs', 'polite'], {
    variables: [
      {
        name: 'BROWSER',
        description: 'The browser.',
        format: 'filepath',
        isRequired: true,
        searchPaths: ['/no/such/browser'],
      },
    ],
  })
  .stdio('missing', ['no-such-file.mjs'])
  .http('old', old.url, withKey)
  .http('modern', modern.url, withKey)
  .http('inner', 'http://127.0.0.1:9/mcp', withKey);
const service = useService({
  settings: { CATALOG_DIRS: catalog.folder, OUTBOUND_ALLOWED_HOSTS: `${old.host},${modern.host}` },
});
afterAll(async () => {
  await Promise.all([old.close(), modern.close()]);
  catalog.remove();
});

const stateOf = async (server: { id: string }) => (await service.owner.get<Installed>(pathOf(server))).body;

const ok = (phase: string, detail: string | null) => ({
  ...{ phase, status: 'ok', detail },
  ms: expect.any(Number),
});
const stepsOf = ({ phases }: { phases: { phase: string; status: string }[] }) =>
  phases.map(({ phase, status }) => `${phase} ${status}`);

describe('the history of verifications', () => {
  const historyOf = async (server: { id: string }, caller = service.owner) => {
    const answer = await caller.get<Wire<VerificationRecordResponse>[]>(`${pathOf(server)}/verifications`);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };

  it('is newest first, names who verified, and shows the step that failed', async () => {
    const server = await aServer(service.owner, 'exits');
    expect(await historyOf(server)).toEqual([]);
    const admins = [await asAdmin(service), await asAdmin(service)] as const;
    const first = (await verify(admins[0], server)).body;
    const second = (await verify(admins[1], server)).body;
    const history = await historyOf(server);
    expect(history).toEqual([second, first]);
    expect(history.map(({ by }) => by?.id)).toEqual([admins[1].id, admins[0].id]);
    expect(stepsOf(first)).toEqual([
      ...['runtime ok', 'package ok', 'spawn ok', 'handshake failed', 'list skipped', 'credentials skipped'],
    ]);
    expect(first.phases[3]!.detail).toBe(first.details);
  });

  it('keeps the last 50, without the names of the tools, and goes with the server', async () => {
    const server = await aServer(service.owner, 'polite');
    await service.sql(
      `INSERT INTO server_verifications (id, server_id, at, by_type, by_name, result)
       SELECT gen_random_uuid(), $1, now() - make_interval(hours => n), 'system', 'system', $2
       FROM generate_series(1, 60) n`,
      [server.id, JSON.stringify((await verify(service.owner, server)).body)],
    );
    const { capabilities, ...result } = (await verify(service.owner, server)).body;
    expect(capabilities).toHaveLength(5);
    const history = await historyOf(server);
    expect(history).toHaveLength(50);
    expect(history[0]).toEqual(result);
    const kept = () => service.sql(`SELECT 1 FROM server_verifications WHERE server_id = $1`, [server.id]);
    expect(await kept()).toHaveLength(50);
    expect((await service.owner.delete(pathOf(server))).status).toBe(204);
    expect(await kept()).toEqual([]);
  });

  it('of a remote server skips package and start', async () => {
    const server = await aServer(service.owner, 'modern', { envValues: { KEY: canary('good-key') } });
    const { body } = await verify(service.owner, server);
    expect(stepsOf(body)).toEqual([
      ...['runtime ok', 'package skipped', 'spawn skipped', 'handshake ok', 'list ok', 'credentials skipped'],
    ]);
  });

  it('shows a verification of an earlier version of the service without steps', async () => {
    const server = await aServer(service.owner, 'polite');
    await verify(service.owner, server);
    await service.sql(
      `UPDATE installed_servers SET last_verification = last_verification - 'phases' - 'at' - 'by' WHERE id = $1`,
      [server.id],
    );
    const { lastVerification } = await stateOf(server);
    expect(lastVerification).toMatchObject({ phases: [], by: null, at: lastVerification!.checkedAt });
  });
});

describe('the verification of a server', () => {
  it('says which program of the host is missing, and where it was looked for', async () => {
    const server = await aServer(service.owner, 'browser');
    expect((await verify(service.owner, server)).body).toMatchObject({
      status: 'error',
      details: expect.stringMatching(
        /The browser\. Looked for \/no\/such\/browser\. Install it, or set BROWSER/,
      ),
    });
    await service.owner.put(pathOf(server), { envValues: { BROWSER: '/bin/sh' } });
    expect((await verify(service.owner, server)).body).toMatchObject({ status: 'ok' });
    expect(await tryOut(service.owner, server, 'environment')).toContain('"BROWSER":"/bin/sh"');
  });

  it('connects to a new process, lists its tools, and returns and stores the result', async () => {
    const server = await aServer(service.owner, 'polite');
    const { status, body } = await verify(service.owner, server);
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'ok',
      phase: 'done',
      warnings: [],
      credentials: 'unchecked',
      protocolVersion: '2025-11-25',
      details: expect.stringContaining(`in ${body.latencyMs} ms`),
      capabilities: ['echo', 'pid', 'environment', 'count', 'wait'],
      latencyMs: expect.any(Number),
      serverInfo: { name: 'fake', version: '1.0.0' },
      phases: [
        ...(['runtime', 'package', 'spawn'] as const).map((phase) => ok(phase, null)),
        ok('handshake', '2025-11-25 fake 1.0.0'),
        ok('list', '5 tools'),
        {
          ...{ phase: 'credentials', status: 'skipped', ms: null },
          detail: 'It was given no credentials.',
        },
      ],
      at: expect.stringMatching(/Z$/),
      by: { type: 'user', id: expect.any(String), name: 'Owner' },
    });
    expect((await stateOf(server)).lastVerification).toEqual({ ...body, checkedAt: body.at });
    expect(processesNaming(server.id)).toEqual([]);
  });

  it('is stale after a change of values until the next verification', async () => {
    const server = await aServer(service.owner, 'accepting', { envValues: { KEY: canary('one key') } });
    await verify(service.owner, server);
    expect((await stateOf(server)).lastVerification).not.toHaveProperty('stale');
    await service.owner.put(pathOf(server), { envValues: { KEY: canary('another key') } });
    expect((await stateOf(server)).lastVerification).toMatchObject({
      stale: true,
      phase: expect.any(String),
    });
    await service.owner.put(pathOf(server), { name: 'Renamed only' });
    await verify(service.owner, server);
    expect((await stateOf(server)).lastVerification).not.toHaveProperty('stale');
  });

  it('does not affect the process that agents use', async () => {
    const server = await aServer(service.owner, 'polite');
    await tryOut(service.owner, server, 'count');
    await verify(service.owner, server);
    expect(await tryOut(service.owner, server, 'count')).toBe('2');
  });

  it.each([
    [
      'exits',
      'handshake',
      /exited with code 3 .*Its last output: I cannot work like this/,
      /I cannot work like this/,
    ],
    ['garbage', 'handshake', /./, /^/],
    ['missing', 'handshake', /exited/, /no-such-file/],
  ])(
    'reports the phase, the reason and the last stderr lines of a server that %s',
    async (entry, phase, details, tail) => {
      const server = await aServer(service.owner, entry);
      const { status, body } = await verify(service.owner, server);
      expect([status, body.status, body.phase]).toEqual([200, 'error', phase]);
      expect(body).not.toHaveProperty('capabilities');
      expect(body.details).toMatch(details);
      expect(body.stderrTail).toMatch(tail);
      expect(await stateOf(server)).toMatchObject({
        status: 'error',
        statusReason: body.details,
        lastVerification: body,
      });
    },
  );

  it.each(['stubborn', 'family'])('leaves no process of a %s server behind', async (entry) => {
    const server = await aServer(service.owner, entry);
    expect((await verify(service.owner, server)).body.status).toBe('ok');
    expect(processesNaming(server.id)).toEqual([]);
  });

  it('moves a server between enabled and error and leaves a disabled one unchanged', async () => {
    const server = await aServer(service.owner, 'polite');
    const point = (script: string) =>
      service.sql(
        `UPDATE installed_servers SET entry = replace(entry::text, 'misbehaving.mjs', $2)::jsonb WHERE id = $1`,
        [server.id, script],
      );
    const verified = async () => [
      (await verify(service.owner, server)).body.status,
      (await stateOf(server)).status,
    ];
    const seen = [await verified()];
    await point('gone.mjs');
    seen.push(await verified());
    await service.sql(
      `UPDATE installed_servers SET entry = replace(entry::text, 'gone.mjs', 'misbehaving.mjs')::jsonb WHERE id = $1`,
      [server.id],
    );
    seen.push(await verified());
    await service.owner.post(`${pathOf(server)}/disable`);
    seen.push(await verified());
    expect(seen).toEqual([
      ['ok', 'enabled'],
      ['error', 'error'],
      ['ok', 'enabled'],
      ['ok', 'disabled'],
    ]);
    const journal = await service.sql<{ type: string }>(
      `SELECT type FROM journal WHERE subject_id = $1 ORDER BY position`,
      [server.id],
    );
    const [verifiedRow, first] = ['mcp.server.verified', ['mcp.tool.approved', 'mcp.server.verified']];
    expect(journal.map(({ type }) => type)).toEqual([
      'mcp.server.installed',
      ...first,
      verifiedRow,
      'mcp.server.failed',
      verifiedRow,
      'mcp.server.enabled',
      'mcp.server.disabled',
      verifiedRow,
    ]);
  });

  it('refuses a reviewed runtime that this host lacks, and warns of one that nobody reviewed', async () => {
    const server = await aServer(service.owner, 'polite');
    const needs = { runtime: 'node', runtimeVersion: '>=99', verified: false };
    const setEntry = (changes: object) =>
      service.sql(`UPDATE installed_servers SET entry = entry || $2 WHERE id = $1`, [server.id, changes]);
    await setEntry(needs);
    const { body: unreviewed } = await verify(service.owner, server);
    expect(unreviewed).toMatchObject({ status: 'ok', warnings: [{ subject: 'runtime' }] });
    await setEntry({ ...needs, verified: true });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({
      status: 'error',
      phase: 'runtime',
      details: expect.stringMatching(/node >=99/),
    });
  });
});

describe('the verification of credentials', () => {
  it.each(['old', 'modern'])('reports that a %s remote server refused them', async (entry) => {
    const server = await aServer(service.owner, entry, { envValues: { KEY: canary('a wrong key') } });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({ status: 'error', phase: 'handshake', credentials: 'refused' });
    expect(body.details).toMatch(/refused the credentials/);
  });

  it.each([
    ['old', '2025-11-25'],
    ['modern', '2026-07-28'],
  ])('connects to a %s remote server with valid ones', async (entry, protocolVersion) => {
    const server = await aServer(service.owner, entry, { envValues: { KEY: canary('good-key') } });
    expect((await verify(service.owner, server)).body).toMatchObject({ status: 'ok', protocolVersion });
  });

  it('does not connect to a non-public address unless the operator allows it', async () => {
    const server = await aServer(service.owner, 'inner', { envValues: { KEY: canary('good-key') } });
    expect((await verify(service.owner, server)).body).toMatchObject({ status: 'error', phase: 'handshake' });
  });

  it('runs the probe of an entry if there is a credential to test', async () => {
    const [bare, keyed] = [
      await aServer(service.owner, 'accepting'),
      await aServer(service.owner, 'accepting', { envValues: { KEY: canary('some key') } }),
    ];
    expect((await verify(service.owner, bare)).body.credentials).toBe('unchecked');
    expect((await verify(service.owner, keyed)).body.credentials).toBe('accepted');
  });

  it('reports refused credentials and an error if the probe fails', async () => {
    const TOOLS_FILE = catalog.toolsFile('refusing', [{ name: 'refuse', inputSchema: { type: 'object' } }]);
    const server = await aServer(service.owner, 'refusing', {
      envValues: { KEY: canary('some key'), TOOLS_FILE },
    });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({ status: 'error', phase: 'done', credentials: 'refused' });
    expect((await stateOf(server)).status).toBe('error');
  });

  it('leaves them unchecked and keeps the tools if the service behind the server is unreachable', async () => {
    const tools = ['one', 'unreachable'];
    const TOOLS_FILE = catalog.toolsFile(
      'unreachable',
      tools.map((name) => ({ name, inputSchema: { type: 'object' } })),
    );
    const envValues = { KEY: canary('some key'), TOOLS_FILE };
    const server = await aServer(service.owner, 'unreachable', { envValues });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({ status: 'ok', credentials: 'unchecked', capabilities: tools });
    expect((await stateOf(server)).status).toBe('enabled');
  });

  it('leaves them unchecked if the server does not list the tool of the probe any more', async () => {
    const TOOLS_FILE = catalog.toolsFile('renamed', [{ name: 'one', inputSchema: { type: 'object' } }]);
    const envValues = { KEY: canary('some key'), TOOLS_FILE };
    const server = await aServer(service.owner, 'refusing', { envValues });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({ status: 'ok', credentials: 'unchecked', capabilities: ['one'] });
  });

  it('says why the entry has no probe', async () => {
    const server = await aServer(service.owner, 'unprobed', { envValues: { KEY: canary('some key') } });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({ status: 'ok', credentials: 'unchecked' });
    expect(body.details).toMatch(/Verify cannot check this credential because its tools need none\.$/);
    const entry = (await service.owner.get('/api/mcp/catalog/unprobed')).body;
    expect(entry).toMatchObject({
      credentialCheck: 'Verify cannot check this credential because its tools need none.',
      manifest: { noProbeReason: 'its tools need none' },
    });
  });

  it('stores nothing if the values change in the meantime', async () => {
    const server = await aServer(service.owner, 'polite', { envValues: { KEY: canary('an old key') } });
    const verified = verify(service.owner, server);
    await until(() => processesNaming(server.id).length > 0);
    await service.owner.put(pathOf(server), { envValues: { KEY: canary('a new key') } });
    expect((await verified).body.status).toBe('ok');
    expect((await stateOf(server)).lastVerification).toBeNull();
  });
});
