import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AttentionResponse } from '../../../src/gateway/attention/attention.response.js';
import type { CredentialSetResponse } from '../../../src/mcp/credentials/credential-set.dto.js';
import { createdBy } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import {
  anAdminAtBrowser,
  begunBy,
  callbackOf,
  pageAfter,
  type PersonAtBrowser,
  signInTo,
} from '../../support/oidc/server-sign-in.js';
import { asBrowser } from '../../support/oidc/sign-in.js';
import { type Service, useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import type { Wire } from '../../support/wire.js';
import { clientKinds, connect } from '../gateway/mcp-clients.js';
import * as wire from '../gateway/wire-call.js';
import {
  anAgentOf,
  aSignedInServer,
  byHand,
  echo,
  lastPerson,
  OauthSetting,
  refuseTokens,
  setOf,
  setsOf,
  signInEntry,
} from './oauth-setting.js';
import { aServer, callTool, type Installed, pathOf, verify } from './servers.js';

const setting = await OauthSetting.start();
const { provider, modern, legacy, catalog } = setting;
const eras = { modern, legacy };
catalog.http('modern-silent', modern.url).http('legacy-silent', legacy.url);
// One agent has 64 calls at once, half of them in each process.
const share = { MCP_CALLS_PER_PROCESS: '128', MCP_CALLS_PER_AGENT: '64' };
const service = useService({ settings: { ...setting.settings, ...share } });
let ada: PersonAtBrowser;
let bob: PersonAtBrowser;
let other: Service;
beforeAll(async () => {
  await setting.register(service);
  [ada, bob, other] = await Promise.all([
    anAdminAtBrowser(service),
    anAdminAtBrowser(service),
    service.second(),
  ]);
});
beforeEach(() => setting.reset());
/** A test that failed may have left requests that wait. */
afterEach(() => {
  for (const server of Object.values(eras)) server.demandedScope = null;
  return provider.change({ hold: 0 });
});
afterAll(() => setting.stop());

/** Tokens expire after seconds, which the test has to wait for. */
const itInFull = process.env['TEST_SIZE'] === 'full' ? it : it.skip;
const statusOf = async (server: Installed) =>
  (await service.owner.get<Installed>(pathOf(server))).body.status;

/** Makes a call, and keeps its refresh from reaching the provider. */
async function aHeldRefresh(agent: Caller, server: Installed): Promise<{ call: Promise<string> }> {
  await provider.change({ hold: 1 });
  refuseTokens(modern);
  const call = echo(agent, server);
  await until(async () => {
    await provider.change({});
    return provider.held === 1;
  });
  return { call };
}

describe.each(['modern', 'legacy'] as const)('a sign-in at a server of the %s era', (era) => {
  it('is refreshed once for 64 calls of two processes, as often as the tokens end', async () => {
    const server = await aSignedInServer(service, ada, era);
    const agent = await anAgentOf(service, server);
    const callers = [agent, agent.at(other)];
    const call = async (_: unknown, at: number) =>
      (await echo(callers[at % 2]!, server)).includes('"text":"hello"');
    for (const _ of [1, 2]) {
      const before = await setting.granted();
      refuseTokens(eras[era]);
      // A second request for a token would wait as well, and be counted.
      await provider.change({ hold: 2 });
      const calls = Promise.all(Array.from({ length: 64 }, call));
      await until(async () => (await setting.granted()) === before && provider.held > 0);
      for (const at of [service, other, service, other]) await at.owner.get('/api/info');
      await provider.change({ hold: 0 });
      expect((await calls).filter(Boolean)).toHaveLength(64);
      expect((await setting.granted()) - before).toBe(1);
    }
  });

  it('is asked for where the server says so and the entry does not', async () => {
    const server = await aServer(service.owner, `${era}-silent`);
    expect(await setOf(service, server)).toMatchObject({ state: 'ready', signIn: null });
    await wire.modern(await anAgentOf(service, server), 'tools/list');
    expect(await setOf(service, server)).toMatchObject({ state: 'sign_in_needed' });
    expect(await statusOf(server)).toBe('enabled');
    const [verified] = await Promise.all([service, other, service].map((at) => verify(at.owner, server)));
    expect(verified!.body).toMatchObject({
      ...{ status: 'error', phase: 'handshake', credentials: 'refused' },
      details: expect.stringMatching(/^Sign in to server .* with the credentials "default": /),
    });
    const signIn = { authorizationServer: null, signedInBy: null, signedInAt: null, scope: null };
    expect(await setOf(service, server)).toMatchObject({ state: 'sign_in_needed', signIn });
    expect(await statusOf(server)).toBe('enabled');
    const recorded = `SELECT data ->> 'credentialSet' AS set FROM journal
      WHERE type = 'mcp.credentials.sign_in_needed' AND subject_id = $1`;
    expect(await service.sql(recorded, [server.id])).toEqual([{ set: 'default' }]);
    // A sign-in is what has to be done, so the server is no other item.
    expect(await itemOf(asBrowser(ada.browser, service), server)).toMatchObject({ kind: 'sign_in' });
  });
});

describe.each(['modern', 'legacy'] as const)('a server of the %s era that asks for another scope', (era) => {
  it('refuses the call with a sentence that names it, and ends no sign-in', async () => {
    const server = await aSignedInServer(service, ada, era);
    const agent = await anAgentOf(service, server);
    await echo(agent, server);
    eras[era].demandedScope = 'admin';
    const before = { granted: await setting.granted(), narrow: eras[era].narrow };
    expect(await echo(agent, server)).toContain('lack the scope \\"admin\\". Do not repeat the call.');
    expect({ granted: await setting.granted(), narrow: eras[era].narrow }).toEqual({
      ...before,
      narrow: before.narrow + 1,
    });
    expect(await setOf(service, server)).toMatchObject({ state: 'ready' });
    eras[era].demandedScope = null;
    expect(await echo(agent, server)).toContain('"text":"hello"');
  });
});

describe('a sign-in whose refresh token is refused', () => {
  it('is reported to people and agents, and ends by another sign-in', async () => {
    const server = await aSignedInServer(service, ada);
    const agent = await anAgentOf(service, server);
    const client = await connect(agent, clientKinds[0]);
    expect(await client.toolNames()).toContain(`${server.slug}__echo`);
    expect(await echo(agent, server)).toContain('"text":"hello"');

    await setting.withdraw('ada');
    refuseTokens(modern);
    const changes = client.changes;
    expect(await echo(agent, server)).toMatch(
      /Sign in to .* credentials \\"default\\".*invalid_grant.*admin/,
    );
    expect(await setOf(service, server)).toMatchObject({
      state: 'sign_in_needed',
      signIn: { authorizationServer: provider.issuer, signedInBy: ada.person.name },
    });
    await until(() => client.changes > changes);
    expect(await client.toolNames()).not.toContain(`${server.slug}__echo`);
    expect(await echo(agent, server)).toMatch(/An admin has to sign in to .* credentials \\"default\\"/);
    expect(await reasonsOf(agent, server)).toEqual(['sign_in_needed']);
    // The server works, and no one has to look at it.
    expect(await statusOf(server)).toBe('enabled');

    // An admin looks why, which records that the credentials were refused.
    expect((await verify(service.owner, server)).body).toMatchObject({ credentials: 'refused' });
    const person = asBrowser(ada.browser, service);
    const item = await itemOf(person, server);
    expect(item).toMatchObject({
      ...{ kind: 'sign_in', severity: 'degraded', server: { id: server.id }, needsRole: 'Admin' },
      title: expect.stringContaining('"default"'),
      detail: expect.stringContaining('invalid_grant'),
      action: { label: 'Sign in', method: 'POST', elevated: true },
    });
    await setting.reset();
    const begun = await ada.elevated.post<{ authorizationUrl: string }>(
      item!.action!.path,
      item!.action!.body,
    );
    const callback = await callbackOf(ada.browser, begun.body.authorizationUrl);
    expect(await pageAfter(ada.browser, callback)).toMatch(/signIn=done$/);

    expect(await setOf(service, server)).toMatchObject({ state: 'ready' });
    await until(async () => (await itemOf(person, server)) === undefined);
    expect(await echo(agent, server)).toContain('"text":"hello"');
    await until(async () => (await client.toolNames()).includes(`${server.slug}__echo`));
    await client.close();
  });

  it('does not end a newer one that came while the refusal was on its way', async () => {
    const server = await aSignedInServer(service, ada);
    const agent = await anAgentOf(service, server);
    const callback = await callbackOf(bob.browser, await begunBy(bob, server), 'bob');
    const { call } = await aHeldRefresh(agent, server);
    expect(await pageAfter(bob.browser, callback)).toMatch(/signIn=done$/);
    await setting.withdraw('ada');
    await provider.change({ hold: 0 });
    expect(await call).toContain('"text":"hello"');
    expect(lastPerson(modern)).toBe('bob');
    expect(await setOf(service, server)).toMatchObject({
      state: 'ready',
      signIn: { signedInBy: bob.person.name },
    });
  });

  it('does not replace a newer one by its late answer', async () => {
    const server = await aSignedInServer(service, ada);
    const agent = await anAgentOf(service, server);
    const callback = await callbackOf(bob.browser, await begunBy(bob, server), 'bob');
    const { call } = await aHeldRefresh(agent, server);
    expect(await pageAfter(bob.browser, callback)).toMatch(/signIn=done$/);
    const { revoked } = provider;
    await provider.change({ hold: 0 });
    expect(await call).toContain('"text":"hello"');
    // The refresh token of the late answer is revoked, because no one holds it.
    await until(async () => {
      await provider.change({});
      return provider.revoked === revoked + 1;
    });
    for (const _ of [1, 2]) {
      refuseTokens(modern);
      expect(await echo(agent, server)).toContain('"text":"hello"');
      expect(lastPerson(modern)).toBe('bob');
    }
  });
});

describe('the tokens of a sign-in', () => {
  itInFull('come with an answer that takes its time', async () => {
    const server = await aSignedInServer(service, ada);
    const { call } = await aHeldRefresh(await anAgentOf(service, server), server);
    const from = Date.now();
    await until(() => Date.now() - from > 12_000);
    await provider.change({ hold: 0 });
    expect(await call).toContain('"text":"hello"');
  });

  itInFull('are replaced before they expire, once for all processes', async () => {
    await provider.change({ tokenSeconds: 8 });
    const server = await aSignedInServer(service, ada);
    const [before, known] = [await setting.granted(), new Set(modern.sent)];
    const fresh = () => [...modern.sent].filter((id) => !known.has(id)).length;
    const both = [service, other].map(({ owner }) => owner);
    while (fresh() < 4)
      for (const { text } of await Promise.all(
        both.map((owner) => callTool(owner, server, 'echo', { value: 'x' })),
      ))
        expect(text).toContain('"text":"x"');
    // The first of them came with the sign-in.
    expect((await setting.granted()) - before).toBeLessThanOrEqual(fresh());
    expect((await setting.granted()) - before).toBeGreaterThanOrEqual(fresh() - 1);
    await provider.change({ tokenSeconds: 600 });
  });

  it('are not sent to the address of an entry that is tried for an upgrade', async () => {
    catalog.http('moving', modern.url, signInEntry);
    await service.owner.post('/api/mcp/catalog/reload');
    const server = await aSignedInServer(service, ada, 'moving');
    const [sent, heard] = [legacy.sent.size, legacy.texts.length];
    // The trial of an entry with the same address has a token of its own.
    catalog.http('moving', modern.url, { ...signInEntry, version: '1.5.0' });
    await service.owner.post('/api/mcp/catalog/reload');
    expect(await service.owner.post(`${pathOf(server)}/upgrade?dryRun=true`)).toMatchObject({ status: 200 });
    catalog.http('moving', legacy.url, { ...signInEntry, version: '2.0.0' });
    await service.owner.post('/api/mcp/catalog/reload');
    const { body } = await service.owner.post<{ upgrade: { verification: { details: string } } }>(
      `${pathOf(server)}/upgrade`,
    );
    expect(body.upgrade.verification.details).toMatch(/The address of the server has changed/);
    expect([legacy.sent.size, legacy.texts.length]).toEqual([sent, heard]);
    // Nothing has changed for those who use the installed entry.
    expect(await setOf(service, server)).toMatchObject({ state: 'ready' });
    refuseTokens(modern);
    expect(await echo(await anAgentOf(service, server), server)).toContain('"text":"hello"');
  });
});

describe('two sets of a server', () => {
  it('have the tokens of different people, and are revoked for themselves', async () => {
    const server = await aSignedInServer(service, ada);
    const team = await createdBy<Wire<CredentialSetResponse>>(service.owner, setsOf(server), {
      name: 'team',
      ...byHand,
    });
    expect(team).toMatchObject({ state: 'sign_in_needed', signIn: { signedInBy: null } });
    const [own, others] = [await anAgentOf(service, server), await anAgentOf(service, server, 'team')];
    expect(await echo(others, server)).toMatch(/An admin has to sign in to .* credentials \\"team\\"/);
    await signInTo(bob, server, { set: 'team', account: 'bob' });
    for (const [agent, person] of [
      [own, 'ada'],
      [others, 'bob'],
      [own, 'ada'],
    ] as const) {
      refuseTokens(modern);
      expect(await echo(agent, server)).toContain('"text":"hello"');
      expect(lastPerson(modern)).toBe(person);
      expect(await echo(agent, server, `it is ${modern.texts.at(-1)!}`)).not.toContain(modern.texts.at(-1)!);
    }

    await setting.withdraw('bob');
    refuseTokens(modern);
    expect(await echo(others, server)).toContain('Sign in to');
    expect(await echo(own, server)).toContain('"text":"hello"');
    await service.owner.post(`${setsOf(server)}/default/revoke`);
    expect(await setOf(service, server)).toMatchObject({
      state: 'revoked',
      signIn: expect.objectContaining({ signedInBy: null }),
    });
    await service.owner.put(`${pathOf(server)}/access`, {
      entries: [{ agentId: others.id, granted: true, credentialSet: 'default' }],
    });
    expect((await service.owner.delete(`${setsOf(server)}/team`)).status).toBe(204);
    for (const table of ['oauth_grants', 'oauth_tokens', 'oauth_sign_ins'])
      expect(
        await service.sql(
          `SELECT 1 FROM ${table} t LEFT JOIN credential_sets s ON s.id = t.credential_set_id
          WHERE s.id IS NULL OR s.id = $1`,
          [server.id],
        ),
      ).toEqual([]);
  });

  it('keep a sign-in with other values, and lose it with another client', async () => {
    const server = await aSignedInServer(service, ada);
    const agent = await anAgentOf(service, server);
    await service.owner.put(pathOf(server), { envValues: { NOTE: 'other' } });
    expect(await echo(agent, server)).toContain('"text":"hello"');
    await service.owner.put(pathOf(server), { envValues: { CLIENT_ID: 'another' } });
    expect(await setOf(service, server)).toMatchObject({
      state: 'sign_in_needed',
      signIn: { signedInBy: null },
    });
  });
});

describe('tokens of a sign-in', () => {
  it('stand in no log, no entry of the audit and no row that is not sealed', async () => {
    await setting.granted();
    expect(provider.issued.length).toBeGreaterThan(4);
    const tables = await service.sql<{ name: string }>(
      `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    const rows: { row: string }[] = [];
    for (const { name } of tables)
      rows.push(...(await service.sql<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)));
    const everything = [service.log, other.log, ...rows.map(({ row }) => row)].join('\n');
    expect(provider.issued.filter((token) => everything.includes(token))).toEqual([]);
  });
});

async function itemOf(caller: Caller, server: Installed) {
  const { body } = await caller.get<Wire<AttentionResponse>>('/api/attention?limit=1000');
  return body.items.find((item) => item.server?.id === server.id);
}
async function reasonsOf(agent: Caller, server: Installed) {
  const { body } = await service.owner.get<{ reason: string | null; serverId: string }[]>(
    `/api/agents/${agent.id}/tools`,
  );
  return [...new Set(body.filter(({ serverId }) => serverId === server.id).map(({ reason }) => reason))];
}
