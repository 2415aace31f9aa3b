import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Balancer } from '../../support/balancer.js';
import type { Caller } from '../../support/caller.js';
import { freePort } from '../../support/debian-postgres.js';
import { anAdminAtBrowser, begunBy, callbackOf, pageAfter } from '../../support/oidc/server-sign-in.js';
import { startService, type Service } from '../../support/service.js';
import { anAgentOf, byHand, echo, OauthSetting } from './oauth-setting.js';
import { aServer, verify } from './servers.js';

describe('a sign-in at two processes that answer requests, with a tools host and a worker apart', () => {
  let servers: OauthSetting;
  const balancer = new Balancer();
  let first: Service;
  /** Where the two listen. The log of each names the address of the balancer. */
  let apis: [{ address: string }, { address: string }];
  let front: Service;
  beforeAll(async () => {
    servers = await OauthSetting.start();
    await balancer.start();
    const origin = balancer.url;
    const common = { ...servers.settings, PUBLIC_URL: origin };
    const [PORT, other] = [String(await freePort()), String(await freePort())];
    balancer.leadTo({ address: `http://127.0.0.1:${PORT}` });
    first = await startService({ ownProcess: true, settings: { ...common, ROLE: 'api', PORT } });
    await Promise.all([
      first.second({ ROLE: 'api', PORT: other }),
      first.second({ ROLE: 'tools', PORT: '0', TOOLS_LISTEN: '127.0.0.1:0' }),
      first.second({ ROLE: 'worker', PORT: '0' }),
    ]);
    apis = [{ address: `http://127.0.0.1:${PORT}` }, { address: `http://127.0.0.1:${other}` }];
    front = Object.create(first, { baseUrl: { value: origin } }) as Service;
    await servers.register(front);
  }, 120_000);
  afterAll(async () => {
    await first?.remove();
    await balancer.stop();
    await servers?.stop();
  });

  it.each([
    ['modern', 0, 1],
    ['legacy', 1, 0],
  ] as const)(
    'at a server of the %s era begins at process %i and ends at %i, and the tools host uses it',
    async (era, begin, end) => {
      balancer.leadTo(apis[begin]);
      const person = await anAdminAtBrowser(front);
      const server = await aServer(front.owner, era, byHand);
      const callback = await callbackOf(person.browser, await begunBy(person, server));
      balancer.leadTo(apis[end]);
      expect(await pageAfter(person.browser, callback)).toBe(`/servers/${server.id}?signIn=done`);
      expect((await verify(front.owner, server)).body).toMatchObject({ status: 'ok' });
      const agent: Caller = await anAgentOf(front, server);
      for (const api of apis) {
        balancer.leadTo(api);
        expect(await echo(agent, server)).toContain('"text":"hello"');
        expect(await pageAfter(person.browser, callback)).not.toContain('signIn=done');
      }
    },
  );
});
