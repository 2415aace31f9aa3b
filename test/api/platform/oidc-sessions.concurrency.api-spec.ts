import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { anonymous } from '../../support/callers.js';
import { HttpBrowser } from '../../support/oidc/browser.js';
import { ForgingProvider } from '../../support/oidc/forging-provider.js';
import { asBrowser } from '../../support/oidc/sign-in.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';

const provider = new ForgingProvider();
const settings: Record<string, string> = { OIDC_DEFAULT_ROLE: 'Viewer' };
beforeAll(async () => void Object.assign(settings, (await provider.start()).settings));
const service = useService({ settings });
afterAll(() => provider.stop());

const path = (name: string) => `${service.baseUrl}/api/auth/oidc/${name}`;
const comeBack = (browser: HttpBrowser, answer: string) => browser.go(path(`callback${answer}`));

/** Begins a sign-in of this person and returns the answer of the provider, which has not reached the service. */
async function answerFor(browser: HttpBrowser, sub: string, sid: string): Promise<string> {
  provider.forgery = { claims: { sub, sid, email: `${sub}@acme.example` } };
  return provider.answerTo((await browser.go(path('login'))).location!);
}

/** How many statements wait for a lock. */
async function waiting(): Promise<number> {
  return (
    await service.sql(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    )
  ).length;
}

it('a logout at the provider that arrives while a sign-in is stored leaves no session of it', async () => {
  const browser = new HttpBrowser();
  // A new user would be recorded before there is a session.
  await comeBack(browser, await answerFor(browser, 'here-before', 'earlier'));
  const answer = await answerFor(browser, 'here-before', 'now');
  const logout_token = await provider.logoutToken({ sid: 'now', sub: undefined });
  const holder = new Client({ connectionString: service.databaseUrl });
  await holder.connect();
  // The sign-in has its session now, and waits to be recorded before it commits.
  await holder.query('BEGIN; LOCK TABLE journal IN EXCLUSIVE MODE');
  const signIn = comeBack(browser, answer);
  await until(async () => (await waiting()) === 1);
  let isAnswered = false;
  const logout = new HttpBrowser().go(path('backchannel-logout'), { logout_token });
  void logout.then(() => (isAnswered = true));
  await until(async () => isAnswered || (await waiting()) === 2);
  await holder.query('COMMIT');
  await holder.end();
  await signIn;
  expect((await logout).status).toBe(200);
  expect((await asBrowser(browser, service).get('/api/auth/me')).status).toBe(401);
});

it('more than 300 requests for a sign-in by one network in a minute are refused', async () => {
  const answers = [];
  for (let round = 0; round < 10; round += 1)
    answers.push(
      ...(await Promise.all(
        Array.from({ length: 31 }, () => anonymous(service).unchecked().get('/api/auth/oidc/login')),
      )),
    );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 429]));
  // Which of those at once come last is not known.
  const one = answers.find(({ status }) => status === 429)!;
  expect(one).toMatchObject(refused(429, 'rate_limited'));
  expect(Number(one.headers['retry-after'])).toBeGreaterThan(0);
});
