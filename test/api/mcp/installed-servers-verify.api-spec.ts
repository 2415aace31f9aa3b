import { afterAll, describe, expect, it } from '@jest/globals';
import { canary } from '../../support/canary.js';
import { useService } from '../../support/service.js';
import { legacyServer, modernServer } from '../../support/mcp-servers/remote.js';
import { until } from '../../support/until.js';
import { LocalCatalog } from './local-catalog.js';
import { aServer, pathOf, processesNaming, tryOut, verify, type Installed } from './servers.js';

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
  .stdio('stubborn', ['family.mjs', 'stubborn'])
  .stdio('family', ['family.mjs', 'daemon'])
  .stdio('accepting', ['misbehaving.mjs', 'polite'], {
    ...secret,
    manifest: { credentialProbe: { tool: 'echo', arguments: {} } },
  })
  .stdio('refusing', ['from-file.mjs'], {
    variables: [...secret.variables, { name: 'TOOLS_FILE', format: 'filepath', isRequired: true }],
    manifest: { credentialProbe: { tool: 'refuse', arguments: {} } },
  })
  .stdio('unreachable', ['from-file.mjs'], {
    variables: [...secret.variables, { name: 'TOOLS_FILE', format: 'filepath', isRequired: true }],
    manifest: { credentialProbe: { tool: 'unreachable', arguments: {} } },
  })
  .stdio('missing', ['no-such-file.mjs'])
  .http('old', old.url, withKey)
  .http('modern', modern.url, withKey)
  .http('inner', 'http://127.0.0.1:9/mcp', withKey);
const service = useService({
  settings: { CATALOG_DIRS: catalog.folder, MCP_ALLOWED_HOSTS: `${old.host},${modern.host}` },
});
afterAll(async () => {
  await Promise.all([old.close(), modern.close()]);
  catalog.remove();
});

const stateOf = async (server: { id: string }) => (await service.owner.get<Installed>(pathOf(server))).body;

describe('verifying a server', () => {
  it('greets a fresh process, lists its tools, says so and keeps it', async () => {
    const server = await aServer(service.owner, 'polite');
    const { status, body } = await verify(service.owner, server);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ status: 'ok', phase: 'done', credentials: 'unchecked', protocolVersion: '2025-11-25' },
      details: expect.stringContaining(`in ${body.latencyMs} ms`),
      capabilities: ['echo', 'pid', 'environment', 'count', 'wait'],
      latencyMs: expect.any(Number),
      serverInfo: { name: 'fake', version: '1.0.0' },
    });
    expect((await stateOf(server)).lastVerification).toEqual({ ...body, checkedAt: expect.any(String) });
    expect(processesNaming(server.id)).toEqual([]);
  });

  it('does not disturb the process that agents use', async () => {
    const server = await aServer(service.owner, 'polite');
    await tryOut(service.owner, server, 'count');
    await verify(service.owner, server);
    expect(await tryOut(service.owner, server, 'count')).toBe('2');
  });

  it.each([
    ['exits', 'handshake', /exited with code 3/, /I cannot work like this/],
    ['garbage', 'handshake', /./, /^/],
    ['missing', 'handshake', /exited/, /no-such-file/],
  ])(
    'tells of a server that %s in which phase it failed, why, and its last words',
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

  it.each(['stubborn', 'family'])('leaves nothing of a %s server behind', async (entry) => {
    const server = await aServer(service.owner, entry);
    expect((await verify(service.owner, server)).body.status).toBe('ok');
    expect(processesNaming(server.id)).toEqual([]);
  });

  it('moves a server between enabled and error, and leaves one that is disabled alone', async () => {
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
      ...['mcp.server.installed', ...first],
      ...[verifiedRow, 'mcp.server.failed'],
      ...[verifiedRow, 'mcp.server.enabled'],
      ...['mcp.server.disabled', verifiedRow],
    ]);
  });

  it('names a runtime that this host does not have', async () => {
    const server = await aServer(service.owner, 'polite');
    await service.sql(
      `UPDATE installed_servers SET entry = entry || '{"runtime": "node", "runtimeVersion": ">=99"}' WHERE id = $1`,
      [server.id],
    );
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({
      status: 'error',
      phase: 'runtime',
      details: expect.stringMatching(/node >=99/),
    });
  });
});

describe('verifying credentials', () => {
  it.each(['old', 'modern'])('says that a %s remote server refused them', async (entry) => {
    const server = await aServer(service.owner, entry, { envValues: { KEY: canary('a wrong key') } });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({ status: 'error', phase: 'handshake', credentials: 'refused' });
    expect(body.details).toMatch(/refused the credentials/);
  });

  it.each([
    ['old', '2025-11-25'],
    ['modern', '2026-07-28'],
  ])('reaches a %s remote server with good ones', async (entry, protocolVersion) => {
    const server = await aServer(service.owner, entry, { envValues: { KEY: canary('good-key') } });
    expect((await verify(service.owner, server)).body).toMatchObject({ status: 'ok', protocolVersion });
  });

  it('does not reach an address that is not public unless the operator allows it', async () => {
    const server = await aServer(service.owner, 'inner', { envValues: { KEY: canary('good-key') } });
    expect((await verify(service.owner, server)).body).toMatchObject({ status: 'error', phase: 'handshake' });
  });

  it('runs the probe of an entry where there is a credential to be tried', async () => {
    const [bare, keyed] = [
      await aServer(service.owner, 'accepting'),
      await aServer(service.owner, 'accepting', { envValues: { KEY: canary('some key') } }),
    ];
    expect((await verify(service.owner, bare)).body.credentials).toBe('unchecked');
    expect((await verify(service.owner, keyed)).body.credentials).toBe('accepted');
  });

  it('says that they were refused where the probe fails, and that is no success', async () => {
    const TOOLS_FILE = catalog.toolsFile('refusing', []);
    const server = await aServer(service.owner, 'refusing', {
      envValues: { KEY: canary('some key'), TOOLS_FILE },
    });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({ status: 'error', phase: 'done', credentials: 'refused' });
    expect((await stateOf(server)).status).toBe('error');
  });

  it('leaves them unchecked where the service behind the server does not answer, and its tools are known', async () => {
    const TOOLS_FILE = catalog.toolsFile('unreachable', [{ name: 'one', inputSchema: { type: 'object' } }]);
    const envValues = { KEY: canary('some key'), TOOLS_FILE };
    const server = await aServer(service.owner, 'unreachable', { envValues });
    const { body } = await verify(service.owner, server);
    expect(body).toMatchObject({ status: 'ok', credentials: 'unchecked', capabilities: ['one'] });
    expect((await stateOf(server)).status).toBe('enabled');
  });

  it('keeps nothing of what was found with values that were changed meanwhile', async () => {
    const server = await aServer(service.owner, 'polite', { envValues: { KEY: canary('an old key') } });
    const verified = verify(service.owner, server);
    await until(() => processesNaming(server.id).length > 0);
    await service.owner.put(pathOf(server), { envValues: { KEY: canary('a new key') } });
    expect((await verified).body.status).toBe('ok');
    expect((await stateOf(server)).lastVerification).toBeNull();
  });
});
