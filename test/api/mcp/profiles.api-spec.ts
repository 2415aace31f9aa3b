import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AgentToolResponse } from '../../../src/mcp/access/access.response.js';
import type { ProfileResponse } from '../../../src/mcp/access/profile.dto.js';
import { createdBy, someName } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';
import { modern } from '../gateway/wire-call.js';
import { LocalCatalog } from './local-catalog.js';
import { aVerifiedServer, grant, type Installed, pathOf } from './servers.js';

type Profile = Wire<ProfileResponse>;

const catalog = new LocalCatalog().stdio('polite', ['misbehaving.mjs', 'polite'], {
  variables: [{ name: 'MARK' }],
});
const service = useService({ settings: { CATALOG_DIRS: catalog.folder } });
afterAll(() => catalog.remove());

const aProfile = (fields: object = {}) =>
  createdBy<Profile>(service.owner, '/api/mcp/profiles', { name: someName('profile'), ...fields });
const profilePath = ({ id }: { id: string }) => `/api/mcp/profiles/${id}`;
const toolsOf = async (agent: Caller, server: Installed) =>
  (await service.owner.get<AgentToolResponse[]>(`/api/agents/${agent.id}/tools`)).body.filter(
    ({ serverId }) => serverId === server.id,
  );
const allowedOf = async (agent: Caller, server: Installed): Promise<string[]> =>
  (await toolsOf(agent, server)).filter(({ allowed }) => allowed).map(({ name }) => name);
const echo = async (agent: Caller, server: Installed): Promise<string> => {
  const params = { name: `${server.slug}__echo`, arguments: {} };
  return JSON.stringify((await modern(agent, 'tools/call', params)).message);
};
const refuse = (agent: Caller, server: Installed, fields: object = {}) =>
  service.owner.put(`${pathOf(server)}/access`, {
    entries: [{ agentId: agent.id, granted: false, ...fields }],
  });

let server: Installed;
beforeAll(async () => {
  server = await aVerifiedServer(service.owner, 'polite');
});

describe('a profile', () => {
  it('gives its servers to its agents at once, and takes them away at once', async () => {
    const [one, two] = [await asAgent(service), await asAgent(service)];
    const profile = await aProfile({ entries: [{ serverId: server.id }], agentIds: [one.id] });
    expect(await echo(one, server)).toContain('"result"');
    expect(await echo(two, server)).toContain('-32602');
    await service.owner.put(profilePath(profile), { agentIds: [two.id] });
    expect(await echo(one, server)).toContain('-32602');
    expect(await echo(two, server)).toContain('"result"');
    expect((await service.owner.delete(profilePath(profile))).status).toBe(204);
    expect(await echo(two, server)).toContain('-32602');
  });

  it('is returned as it was written, and changes only what a request names', async () => {
    const agent = await asAgent(service);
    const entry = { serverId: server.id, tools: ['echo'], ask: 'writes', credentialSet: 'default' };
    const profile = await aProfile({ entries: [entry], agentIds: [agent.id] });
    expect(profile).toMatchObject({ entries: [entry], agentIds: [agent.id] });
    const { body } = await service.owner.put<Profile>(profilePath(profile), { name: someName('renamed') });
    expect(body).toMatchObject({ entries: [entry], agentIds: [agent.id] });
    expect((await service.owner.get(profilePath(profile))).body).toEqual(body);
    expect((await service.owner.get<Profile[]>('/api/mcp/profiles')).body).toContainEqual(body);
    const matrix = await service.owner.get<{ profiles: { id: string }[] }>('/api/mcp/access');
    const { id, name } = body;
    expect(matrix.body.profiles).toContainEqual({ id, name, agentIds: [agent.id], serverIds: [server.id] });
  });

  it('joins with other profiles and with the grant, and each is named as a source', async () => {
    const agent = await asAgent(service);
    const a = await aProfile({
      name: someName('a'),
      entries: [{ serverId: server.id, tools: ['echo'] }],
      agentIds: [agent.id],
    });
    expect(await allowedOf(agent, server)).toEqual(['echo']);
    const b = await aProfile({
      name: someName('b'),
      entries: [{ serverId: server.id, tools: ['pid'], ask: ['pid'] }],
      agentIds: [agent.id],
    });
    expect(await allowedOf(agent, server)).toEqual(['echo', 'pid']);
    const named = { source: 'profile', profiles: [a.name, b.name], credentialSet: 'default' };
    for (const tool of await toolsOf(agent, server)) expect(tool).toMatchObject(named);
    expect((await toolsOf(agent, server)).filter(({ ask }) => ask).map(({ name }) => name)).toEqual(['pid']);
    await grant(service.owner, server, agent, { tools: ['count'] });
    expect(await allowedOf(agent, server)).toEqual(['echo', 'pid', 'count']);
    expect(await toolsOf(agent, server)).toContainEqual(
      expect.objectContaining({ source: 'grant', profiles: [a.name, b.name] }),
    );
  });

  it('loses to the refusal of an agent, until that is lifted', async () => {
    const agent = await asAgent(service);
    const { name } = await aProfile({ entries: [{ serverId: server.id }], agentIds: [agent.id] });
    expect((await refuse(agent, server)).status).toBe(200);
    expect(await echo(agent, server)).toContain('-32602');
    expect(await toolsOf(agent, server)).toContainEqual(
      expect.objectContaining({ reason: 'not_granted', source: null, profiles: [] }),
    );
    const rows = await service.owner.get<object[]>(`/api/agents/${agent.id}/access`);
    const row = { serverId: server.id, granted: false, refused: true };
    expect(rows.body).toContainEqual(expect.objectContaining(row));
    const matrix = await service.owner.get<{ cells: object[] }>('/api/mcp/access');
    const cell = { agentId: agent.id, serverId: server.id, granted: false };
    expect(matrix.body.cells).toContainEqual(expect.objectContaining(cell));
    await refuse(agent, server, { refused: false });
    expect(await echo(agent, server)).toContain('"result"');
    await refuse(agent, server);
    await grant(service.owner, server, agent);
    await refuse(agent, server, { refused: false });
    expect((await toolsOf(agent, server))[0]).toMatchObject({ source: 'profile', profiles: [name] });
  });

  it('decides the credential set after the grant, and by the order of names', async () => {
    const own = await aVerifiedServer(service.owner, 'polite');
    const agent = await asAgent(service);
    for (const name of ['first', 'second', 'third'])
      await service.owner.post(`${pathOf(own)}/credential-sets`, { name, envValues: { MARK: name } });
    const give = (name: string, credentialSet: string) =>
      aProfile({
        name: someName(name),
        entries: [{ serverId: own.id, credentialSet }],
        agentIds: [agent.id],
      });
    const later = await give('z', 'first');
    expect((await toolsOf(agent, own))[0]?.credentialSet).toBe('first');
    await give('a', 'second');
    expect((await toolsOf(agent, own))[0]?.credentialSet).toBe('second');
    await grant(service.owner, own, agent, { credentialSet: 'third' });
    expect((await toolsOf(agent, own))[0]?.credentialSet).toBe('third');
    const path = `${pathOf(own)}/credential-sets`;
    expect(await service.owner.delete(`${path}/first`)).toMatchObject(refused(409, 'in_use'));
    await service.owner.delete(profilePath(later));
    expect((await service.owner.delete(`${path}/first`)).status).toBe(204);
  });

  it('changes only for the version that the caller read, and only once for 16 at the same time', async () => {
    const profile = await aProfile();
    const path = profilePath(profile);
    const asRead = { 'if-match': '"1"' };
    expect(profile.version).toBe(1);
    const agents = await Promise.all(Array.from({ length: 16 }, () => asAgent(service)));
    const responses = await Promise.all(
      agents.map(({ id }) => service.owner.put<Profile>(path, { agentIds: [id] }, { headers: asRead })),
    );
    const [done, ...more] = responses.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    for (const response of responses)
      if (response !== done) expect(response).toMatchObject(refused(412, 'version_mismatch'));
    const present = await service.owner.get<Profile>(path);
    expect(present.body).toEqual(done!.body);
    expect(present.headers['etag']).toBe(`"${present.body.version}"`);
    expect(present.body.version).toBe(2);
    expect(await service.owner.delete(path, { headers: asRead })).toMatchObject(
      refused(412, 'version_mismatch'),
    );
    expect((await service.owner.delete(path, { headers: { 'if-match': '"2"' } })).status).toBe(204);
  });

  it('is refused with errors at their paths, and under a name that is taken', async () => {
    const { name } = await aProfile();
    const post = (body: object) => service.owner.post('/api/mcp/profiles', { name: someName('x'), ...body });
    expect(await post({ name })).toMatchObject(refused(409, 'name_taken'));
    const bad: [string, object][] = [
      ['entries[0].serverId', { entries: [{ serverId: 'x' }] }],
      ['entries[0].tools[0]', { entries: [{ serverId: server.id, tools: ['nope'] }] }],
      ['entries[0].credentialSet', { entries: [{ serverId: server.id, credentialSet: 'nope' }] }],
      ['entries[1].serverId', { entries: [{ serverId: server.id }, { serverId: server.id }] }],
      ['agentIds[0]', { agentIds: [server.id] }],
    ];
    for (const [path, body] of bad)
      expect(await post(body)).toMatchObject(refused(400, 'validation_failed', path));
  });

  it('loses an agent that is retired and a server that is removed', async () => {
    const agent = await asAgent(service);
    const other = await aVerifiedServer(service.owner, 'polite');
    const profile = await aProfile({ entries: [{ serverId: other.id }], agentIds: [agent.id] });
    await service.owner.delete(`/api/agents/${agent.id}`);
    await service.owner.delete(pathOf(other));
    const { body } = await service.owner.get<Profile>(profilePath(profile));
    expect([body.entries, body.agentIds]).toEqual([[], []]);
  });
});
