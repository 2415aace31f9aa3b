import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CredentialSetResponse } from '../../../src/mcp/credentials/credential-set.dto.js';
import { probeSandbox } from '../../../src/mcp/processes/sandbox/sandbox-probe.js';
import { createdBy } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { canary } from '../../support/canary.js';
import { modernServer } from '../../support/mcp-servers/remote.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { modern } from '../gateway/wire-call.js';
import { LocalCatalog } from './local-catalog.js';
import {
  aServer,
  aVerifiedServer,
  grant,
  type Installed,
  pathOf,
  processesNaming,
  verify,
} from './servers.js';

// An agent sees the value of MARK, which is no secret, in what its server returns; TOKEN is masked there.
const variables = [
  { name: 'MARK', isRequired: true },
  { name: 'TOKEN', isSecret: true },
];
const remote = await modernServer();
const catalog = new LocalCatalog()
  .stdio('sets', ['sandbox-attempts.mjs', 'credential-sets'], { variables })
  .stdio('own-sets', ['sandbox-attempts.mjs'], { variables, manifest: { sharing: 'agent' } })
  .http('remote-sets', remote.url, {
    headers: { Authorization: 'Bearer {env:TOKEN}' },
    variables: [{ name: 'TOKEN', isSecret: true, isRequired: true }],
  });
const service = useService({
  settings: { CATALOG_DIRS: catalog.folder, OUTBOUND_ALLOWED_HOSTS: remote.host },
});
afterAll(async () => {
  catalog.remove();
  await remote.close();
});
const level = await probeSandbox('auto');

const setsOf = (server: Installed) => `${pathOf(server)}/credential-sets`;
const aSet = (server: Installed, name: string, envValues: object) =>
  createdBy<CredentialSetResponse>(service.owner, setsOf(server), { name, envValues });
const call = async (agent: Caller, server: Installed, tool: string, given: object = {}): Promise<string> => {
  const { message } = await modern(agent, 'tools/call', {
    name: `${server.slug}__${tool}`,
    arguments: given,
  });
  return JSON.stringify(message.result ?? message.error);
};
const folderOf = async (server: Installed, set: string): Promise<string> => {
  const [row] = await service.sql<{ id: string }>(
    'SELECT id FROM credential_sets WHERE server_id = $1 AND name = $2',
    [server.id, set],
  );
  return join(service.dataDir, 'mcp/servers', server.id, 'data', `shared_${row!.id}`);
};
async function agentsWithSets(server: Installed, ...names: string[]): Promise<Caller[]> {
  const agents = [];
  for (const credentialSet of names) {
    const agent = await asAgent(service);
    if (credentialSet !== 'default')
      await aSet(server, credentialSet, { MARK: `mark-of-${credentialSet}`, TOKEN: canary(credentialSet) });
    expect((await grant(service.owner, server, agent, { credentialSet })).status).toBe(200);
    agents.push(agent);
  }
  return agents;
}

describe('two agents with different credential sets of one server', () => {
  let server: Installed;
  let agents: Caller[];
  beforeAll(async () => {
    server = await aVerifiedServer(service.owner, 'sets', { envValues: { MARK: 'mark-of-default' } });
    agents = await agentsWithSets(server, 'team-a', 'team-b', 'default');
    for (const agent of agents) await call(agent, server, 'capabilities');
  });

  it('use separate processes, each with the credentials of its set alone', async () => {
    const seen = await Promise.all(agents.map((agent) => call(agent, server, 'environments')));
    const marks = ['team-a', 'team-b', 'default'].map((name) => `mark-of-${name}`);
    for (const [at, text] of seen.entries()) {
      expect(text).toContain(marks[at]);
      if (level === 'process-group') continue;
      for (const other of marks.filter((mark) => mark !== marks[at])) expect(text).not.toContain(other);
    }
    expect(processesNaming('sandbox-attempts.mjs credential-sets').length).toBeGreaterThanOrEqual(3);
  });

  it('cannot read the data folder of the other set', async () => {
    const path = join(await folderOf(server, 'team-a'), 'note');
    expect(await call(agents[0]!, server, 'write-file', { path })).toContain('written');
    expect(await call(agents[0]!, server, 'read-file', { path })).toContain('"x"');
    if (level !== 'process-group')
      expect(await call(agents[1]!, server, 'read-file', { path })).toContain('refused');
  });

  it('are shown with names and states, and with no value', async () => {
    const { body } = await service.owner.get<CredentialSetResponse[]>(setsOf(server));
    const stated = { state: 'ready', configuredEnv: ['MARK', 'TOKEN'], missingEnv: [], signIn: null };
    expect(body).toEqual([
      { ...stated, name: 'default', configuredEnv: ['MARK'] },
      { ...stated, name: 'team-a' },
      { ...stated, name: 'team-b' },
    ]);
    const logs = await service.owner.get(`${pathOf(server)}/logs`);
    const audit = await service.owner.get('/api/audit?limit=50');
    expect(audit.text).toContain('mcp.credentials.created');
    expect(`${logs.text} ${audit.text}`).not.toContain('mark-of-team');
  });

  it('lose it when their set is revoked: its processes end, the others go on', async () => {
    const before = processesNaming('sandbox-attempts.mjs credential-sets').length;
    const answer = await service.owner.post(`${setsOf(server)}/team-a/revoke`);
    expect(answer.body).toMatchObject({ state: 'revoked', configuredEnv: [], missingEnv: ['MARK'] });
    expect(processesNaming('sandbox-attempts.mjs credential-sets').length).toBeLessThan(before);
    expect(await call(agents[0]!, server, 'capabilities')).toMatch(
      /credentials \\"team-a\\".*revoked by an admin.*ask an admin/,
    );
    expect(await call(agents[1]!, server, 'environments')).toContain('mark-of-team-b');
    const tools = (await modern(agents[0]!, 'tools/list')).text;
    expect(tools).not.toContain(`${server.slug}__capabilities`);
    const rows = await service.owner.get<{ serverId: string; reason: string }[]>(
      `/api/agents/${agents[0]!.id}/tools`,
    );
    expect(rows.body.find(({ serverId }) => serverId === server.id)?.reason).toBe('credentials_revoked');
  });

  it('get it back with new values', async () => {
    const path = `${setsOf(server)}/team-a`;
    const { body } = await service.owner.put(path, { envValues: { MARK: 'mark-again' } });
    expect(body).toMatchObject({ state: 'ready', configuredEnv: ['MARK'] });
    expect(await call(agents[0]!, server, 'environments')).toContain('mark-again');
    expect(JSON.stringify(body)).not.toContain('mark-again');
  });

  it('see a change of the values of their own set only', async () => {
    const pidsOf = () => processesNaming('sandbox-attempts.mjs credential-sets').length;
    await service.owner.put(`${setsOf(server)}/team-b`, { envValues: { MARK: 'mark-changed' } });
    await until(async () => (await call(agents[1]!, server, 'environments')).includes('mark-changed'));
    expect(await call(agents[0]!, server, 'environments')).toContain('mark-again');
    expect(pidsOf()).toBeGreaterThanOrEqual(3);
  });

  it('keep the set from being deleted while a grant names it', async () => {
    const path = `${setsOf(server)}/team-a`;
    expect(await service.owner.delete(path)).toMatchObject(refused(409, 'in_use'));
    expect(await service.owner.delete(`${setsOf(server)}/default`)).toMatchObject(refused(409, 'in_use'));
    const folder = await folderOf(server, 'team-a');
    expect(existsSync(folder)).toBe(true);
    await grant(service.owner, server, agents[0]!, { credentialSet: 'default' });
    expect((await service.owner.delete(path)).status).toBe(204);
    expect(existsSync(folder)).toBe(false);
    expect(await call(agents[0]!, server, 'environments')).toContain('mark-of-default');
    expect(await service.owner.delete(path)).toMatchObject(refused(404, 'not_found'));
  });

  it('keep what is in their folder when the server is disabled and enabled', async () => {
    const path = join(await folderOf(server, 'team-b'), 'kept');
    expect(await call(agents[1]!, server, 'write-file', { path })).toContain('written');
    for (const action of ['disable', 'enable'])
      expect((await service.owner.post(`${pathOf(server)}/${action}`)).status).toBe(204);
    expect(await call(agents[1]!, server, 'read-file', { path })).toContain('"x"');
  });
});

describe('a credential set', () => {
  it('belongs to the agent alone where each agent has a process of its own', async () => {
    const server = await aVerifiedServer(service.owner, 'own-sets', { envValues: { MARK: 'mark-0' } });
    const [agent] = await agentsWithSets(server, 'mine');
    expect(await call(agent!, server, 'environments')).toContain('mark-of-mine');
  });

  it('gives a remote server its headers', async () => {
    const server = await aVerifiedServer(service.owner, 'remote-sets', {
      envValues: { TOKEN: canary('first good-key') },
    });
    const agent = await asAgent(service);
    await aSet(server, 'second', { TOKEN: canary('second good-key') });
    await grant(service.owner, server, agent, { credentialSet: 'second' });
    const before = remote.requests.length;
    await call(agent, server, 'echo', { message: 'x' });
    const sent = remote.requests.slice(before).map(({ headers }) => headers.authorization);
    expect(new Set(sent)).toEqual(new Set([`Bearer ${canary('second good-key')}`]));
  });

  it('does not decide which tools the server has: the set default does', async () => {
    const server = await aVerifiedServer(service.owner, 'sets', { envValues: { MARK: 'm' } });
    await service.sql(`DELETE FROM server_tools WHERE server_id = $1 AND name = 'signal'`, [server.id]);
    const [agent] = await agentsWithSets(server, 'other');
    await call(agent!, server, 'capabilities');
    const tools = await service.owner.get(`${pathOf(server)}/tools`);
    expect(tools.text).not.toContain('"signal"');
    await verify(service.owner, server);
    expect((await service.owner.get(`${pathOf(server)}/tools`)).text).toContain('"signal"');
  });

  it('is refused without its required values, with unknown ones, and under a name that is taken', async () => {
    const server = await aServer(service.owner, 'sets', { envValues: { MARK: 'm' } });
    const post = (body: object) => service.owner.post(setsOf(server), body);
    expect(await post({ name: 'a' })).toMatchObject(refused(400, 'validation_failed', 'envValues.MARK'));
    expect(await post({ name: 'a', envValues: { MARK: 'm', NOPE: 'x' } })).toMatchObject(
      refused(400, 'validation_failed', 'envValues.NOPE'),
    );
    expect(await post({ name: 'A b', envValues: { MARK: 'm' } })).toMatchObject(
      refused(400, 'validation_failed', 'name'),
    );
    expect(await post({ name: 'default', envValues: { MARK: 'm' } })).toMatchObject(
      refused(409, 'name_taken'),
    );
    const agent = await asAgent(service);
    expect(await grant(service.owner, server, agent, { credentialSet: 'no-such' })).toMatchObject(
      refused(400, 'validation_failed', 'entries[0].credentialSet'),
    );
  });

  it('is the last of at most 100, also when several are added at the same time', async () => {
    const server = await aServer(service.owner, 'sets', { envValues: { MARK: 'm' } });
    await service.sql(
      `INSERT INTO credential_sets (id, server_id, name)
       SELECT gen_random_uuid(), $1, 'set-' || n FROM generate_series(1, 97) n`,
      [server.id],
    );
    const add = (name: string) => service.owner.post(setsOf(server), { name, envValues: { MARK: 'm' } });
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(add));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
    expect(await add('f')).toMatchObject(refused(409, 'credential_set_limit'));
    expect((await service.owner.get<unknown[]>(setsOf(server))).body).toHaveLength(100);
  });

  it('has values that have 4 MiB together with those of the other sets, and a refused change leaves all', async () => {
    const server = await aServer(service.owner, 'sets', { envValues: { MARK: 'm' } });
    await aSet(server, 'large', { MARK: 'old' });
    await service.sql(
      `INSERT INTO server_credentials (server_id, name, sealed) VALUES ($1, 'FILLED', repeat('x', 4 * 1024 * 1024 - 1024))`,
      [server.id],
    );
    const change = (MARK: string) => service.owner.put(`${setsOf(server)}/large`, { envValues: { MARK } });
    expect((await change('new')).status).toBe(200);
    const stored = () =>
      service.sql('SELECT name, sealed FROM server_credentials WHERE name = $1 ORDER BY sealed', ['MARK']);
    const before = await stored();
    expect(await change('y'.repeat(2_000))).toMatchObject(refused(409, 'credential_set_limit'));
    expect(await stored()).toEqual(before);
  });

  it('is removed with its server', async () => {
    const server = await aServer(service.owner, 'sets', { envValues: { MARK: 'm' } });
    await agentsWithSets(server, 'gone');
    expect((await service.owner.delete(pathOf(server))).status).toBe(204);
    expect(await service.sql('SELECT 1 FROM credential_sets WHERE server_id = $1', [server.id])).toEqual([]);
  });
});
