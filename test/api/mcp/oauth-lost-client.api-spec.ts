import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createdBy } from '../../support/builders.js';
import {
  anAdminAtBrowser,
  begunBy,
  callbackOf,
  pageAfter,
  signInTo,
  type PersonAtBrowser,
} from '../../support/oidc/server-sign-in.js';
import { ANSWERING, useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { anAgentOf, echo, OauthSetting, refuseTokens, setOf, setsOf } from './oauth-setting.js';
import { aServer, pathOf, type Installed } from './servers.js';

const setting = await OauthSetting.start();
const { provider, modern } = setting;
const service = useService({ settings: setting.settings });
let admin: PersonAtBrowser;
beforeAll(async () => {
  await registersClients();
  admin = await anAdminAtBrowser(service);
});
afterAll(() => setting.stop());

const registersClients = () => provider.change({ registration: true, accounts: { ada: {} } });

/** The authorization server forgets clients, sessions and refresh tokens. */
async function forgetAll(): Promise<void> {
  await provider.stop();
  await provider.start();
  await registersClients();
}

/** The tools of a server are known once the verification that follows a sign-in has ended. */
const isVerified = (server: Installed) =>
  until(async () => (await service.owner.get<Installed>(pathOf(server))).body.lastVerification);
const clientIn = (url: string) => new URL(url).searchParams.get('client_id');
const DONE = /signIn=done$/;

describe('beginnings at once', () => {
  it('register one client of their issuer', async () => {
    const servers = await Promise.all([1, 2].map(() => aServer(service.owner, 'modern')));
    const urls = await Promise.all([...servers, ...servers].map((server) => begunBy(admin, server)));
    await registersClients();
    const [client, ...others] = new Set(urls.map(clientIn));
    expect(others).toEqual([]);
    expect(provider.registered).toContain(client);
    // Processes may register clients of which all but one are not used.
    expect(provider.registered.length).toBeLessThanOrEqual(ANSWERING);
  });
});

describe('a registered client that the authorization server has forgotten', () => {
  it('ends the sign-ins at their next refresh, and is registered again once for all of them', async () => {
    const server = await aServer(service.owner, 'modern');
    await createdBy(service.owner, setsOf(server), { name: 'team' });
    const [agent, teamAgent] = [await anAgentOf(service, server), await anAgentOf(service, server, 'team')];
    expect(await signInTo(admin, server)).toMatch(DONE);
    expect(await signInTo(admin, server, { set: 'team' })).toMatch(DONE);
    await isVerified(server);
    expect(await echo(agent, server)).toContain('"text":"hello"');
    expect(await echo(teamAgent, server)).toContain('"text":"hello"');

    await forgetAll();
    refuseTokens(modern);
    expect(await echo(agent, server)).toMatch(/Sign in to .*"default\\".* answered invalid_client/);
    expect(await setOf(service, server)).toMatchObject({ state: 'sign_in_needed' });
    expect(await echo(agent, server)).toMatch(/An admin has to sign in to/);

    expect(await signInTo(admin, server)).toMatch(DONE);
    await registersClients();
    const [registered] = provider.registered;
    expect(await echo(agent, server)).toContain('"text":"hello"');

    // The other set has the former client, whose refusal says nothing about the new one.
    expect(await echo(teamAgent, server)).toMatch(/Sign in to .*"team\\".* answered invalid_client/);
    expect(await setOf(service, server, 'team')).toMatchObject({ state: 'sign_in_needed' });
    expect(clientIn(await begunBy(admin, server, { set: 'team' }))).toBe(registered);
    expect(await signInTo(admin, server, { set: 'team' })).toMatch(DONE);
    expect(await echo(teamAgent, server)).toContain('"text":"hello"');
    await registersClients();
    expect(provider.registered).toEqual([registered]);
  });

  it('is registered again after the exchange of a code was refused', async () => {
    const server = await aServer(service.owner, 'modern');
    const url = await begunBy(admin, server);
    const callback = await callbackOf(admin.browser, url);
    await forgetAll();
    expect(await pageAfter(admin.browser, callback)).toMatch(/signIn=refused$/);
    expect(await setOf(service, server)).toMatchObject({ state: 'sign_in_needed' });
    const again = await begunBy(admin, server);
    expect(clientIn(again)).not.toBe(clientIn(url));
    expect(await pageAfter(admin.browser, await callbackOf(admin.browser, again))).toMatch(DONE);
    await isVerified(server);
    expect(await echo(await anAgentOf(service, server), server)).toContain('"text":"hello"');
  });
});

describe('a registered client of a former PUBLIC_URL', () => {
  const PUBLIC_URL = 'https://awp.example.com';
  const clients = async () =>
    (await service.sql<{ uri: string }>('SELECT redirect_uri AS uri FROM oauth_clients')).map(
      ({ uri }) => uri,
    );
  /** Each process runs the chores that are due as it starts, in the order in which it knows them. */
  async function afterChores(): Promise<void> {
    const name = 'unfinished sign-ins at remote servers';
    await service.sql(`UPDATE chores SET ran_at = '2026-01-01', succeeded_at = NULL WHERE name = $1`, [name]);
    const other = await service.second({ PUBLIC_URL });
    await until(async () =>
      (await service.sql('SELECT 1 FROM chores WHERE name = $1 AND succeeded_at IS NOT NULL', [name])).at(0),
    );
    await other.stop();
  }

  it('is removed a day after its registration, and the sign-in that was made with it goes on', async () => {
    const server = await aServer(service.owner, 'modern');
    expect(await signInTo(admin, server)).toMatch(DONE);
    await isVerified(server);
    const agent = await anAgentOf(service, server);
    const [former] = await clients();
    expect(former).toContain(`${service.baseUrl}/api/mcp/oauth/callback/`);
    await afterChores();
    expect(await clients()).toEqual([former]);

    const present = `${PUBLIC_URL}/api/mcp/oauth/callback/id`;
    await service.sql(
      `INSERT INTO oauth_clients (issuer, redirect_uri, sealed) SELECT issuer, $1, sealed FROM oauth_clients`,
      [present],
    );
    await service.sql(`UPDATE oauth_clients SET created_at = now() - interval '25 hours'`);
    // The first process, which removes none, may have taken the chore.
    await until(async () => {
      await afterChores();
      return (await clients()).length === 1;
    });
    expect(await clients()).toEqual([present]);

    const known = modern.tokens.size;
    refuseTokens(modern);
    expect(await echo(agent, server)).toContain('"text":"hello"');
    expect(modern.tokens.size).toBeGreaterThan(known);
  });
});
