import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  anAdminAtBrowser,
  begunBy,
  signInTo,
  type PersonAtBrowser,
} from '../../support/oidc/server-sign-in.js';
import { useService } from '../../support/service.js';
import { anAgentOf, aSignedInServer, echo, OauthSetting, refuseTokens, setOf } from './oauth-setting.js';
import type { Installed } from './servers.js';

const setting = await OauthSetting.start();
const { modern, legacy } = setting;
const eras = { modern, legacy };
const service = useService({ settings: setting.settings });
let admin: PersonAtBrowser;
beforeAll(async () => {
  await setting.register(service);
  admin = await anAdminAtBrowser(service);
});
afterEach(() => {
  modern.demandedScope = null;
  legacy.demandedScope = null;
});
afterAll(() => setting.stop());

const scopeOf = async (server: Installed) =>
  new URL(await begunBy(admin, server)).searchParams.get('scope')?.split(' ') ?? [];
const stateOf = async (server: Installed) => (await setOf(service, server)).state;
const REFUSED = (scope: string) => `lacks the scope \\"${scope}\\". Do not repeat the call.`;

describe.each(['modern', 'legacy'] as const)('a server of the %s era that asks for another scope', (era) => {
  it('needs a sign-in that asks for it too, once', async () => {
    const server = await aSignedInServer(service, admin, era);
    const agent = await anAgentOf(service, server);
    const former = await scopeOf(server);
    expect(await echo(agent, server)).toContain('"text":"hello"');
    expect(former).not.toContain('admin');
    eras[era].demandedScope = 'admin';
    const [granted, narrow] = [await setting.granted(), eras[era].narrow];
    expect(await echo(agent, server)).toMatch(/Sign in to .* asks for the scope \\"admin\\"\. Only an admin/);
    expect([await setting.granted(), eras[era].narrow]).toEqual([granted, narrow + 1]);
    expect(await stateOf(server)).toBe('sign_in_needed');
    expect(await echo(agent, server)).toMatch(/An admin has to sign in to/);
    expect(eras[era].narrow).toBe(narrow + 1);

    expect(new Set(await scopeOf(server))).toEqual(new Set(['admin', ...former]));
    expect(await signInTo(admin, server, { account: 'ada' })).toMatch(/signIn=done$/);
    expect(await echo(agent, server)).toContain('"text":"hello"');
    refuseTokens(eras[era]);
    expect(await echo(agent, server)).toContain('"text":"hello"');

    // The provider does not know this scope, and leaves it out of what it grants.
    eras[era].demandedScope = 'root';
    expect(await echo(agent, server)).toMatch(/asks for the scope \\"root\\"/);
    expect(await scopeOf(server)).toEqual(expect.arrayContaining(['root', 'admin']));
    expect(await signInTo(admin, server, { account: 'ada' })).toMatch(/signIn=done$/);
    for (const _ of [1, 2]) expect(await echo(agent, server)).toContain(REFUSED('root'));
    expect(await stateOf(server)).toBe('ready');
  });
});

describe('a server that asks for another scope', () => {
  it('of a connection that is being opened needs a sign-in for it too', async () => {
    const server = await aSignedInServer(service, admin);
    modern.demandedScope = 'admin';
    expect(await echo(await anAgentOf(service, server), server)).toMatch(
      /Sign in to .* asks for the scope \\"admin\\"/,
    );
    expect(await stateOf(server)).toBe('sign_in_needed');
  });

  it('and does not name it needs no sign-in, which would not help', async () => {
    const server = await aSignedInServer(service, admin);
    modern.demandedScope = '';
    const before = await setting.granted();
    expect(await echo(await anAgentOf(service, server), server)).toContain(
      'lacks a scope that the server does not name',
    );
    expect(await stateOf(server)).toBe('ready');
    expect(await setting.granted()).toBe(before);
  });

  it('of a token that was replaced meanwhile ends no sign-in', async () => {
    const server = await aSignedInServer(service, admin);
    const agent = await anAgentOf(service, server);
    modern.demandedScope = 'admin';
    await service.sql('UPDATE oauth_tokens SET token_id = gen_random_uuid() WHERE credential_set_id = $1', [
      server.id,
    ]);
    expect(await echo(agent, server)).not.toContain('Sign in to');
    modern.demandedScope = null;
    expect(await stateOf(server)).toBe('ready');
    expect(await echo(agent, server)).toContain('"text":"hello"');
  });
});
