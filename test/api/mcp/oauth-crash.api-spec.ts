import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { BACKUP, emptyDatabase, RESTORE, run } from '../../support/backup-commands.js';
import { KEYS } from '../../support/key-ring.js';
import { anAdminAtBrowser, signInTo, type PersonAtBrowser } from '../../support/oidc/server-sign-in.js';
import { Service, useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { anAgentOf, aSignedInServer, echo, OauthSetting, refuseTokens, setOf } from './oauth-setting.js';
import { callTool, type Installed } from './servers.js';

const setting = await OauthSetting.start();
const { modern } = setting;
const service = useService({ ownProcess: true, settings: setting.settings });
let ada: PersonAtBrowser;
let victim: Service;
beforeAll(async () => {
  await setting.register(service);
  [ada, victim] = await Promise.all([anAdminAtBrowser(service), service.second()]);
});
afterAll(() => setting.stop());

/** Holds the grant of a server so that no process can replace it; returns what lets it go. */
async function hold({ id }: Installed): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM oauth_grants WHERE credential_set_id = $1 FOR UPDATE', [id]);
  return () => client.end();
}
const isWaited = async () =>
  (
    await service.sql(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    )
  ).length > 0;

/** Lets a process refresh a sign-in up to the commit, which it waits for. */
async function aRefreshBeforeItsCommit(at: Service, server: Installed) {
  const before = await setting.granted();
  const letGo = await hold(server);
  refuseTokens(modern);
  const call = callTool(at.owner, server, 'echo', { value: 'hello' }).then(
    ({ text }) => text,
    (error: unknown) => `the process is gone: ${String(error)}`,
  );
  await until(isWaited);
  expect((await setting.granted()) - before).toBe(1);
  return { call, letGo };
}

describe('an answer of the authorization server that is not committed yet', () => {
  it('is used by no call', async () => {
    await setting.reset();
    const server = await aSignedInServer(service, ada);
    const sent = modern.sent.size;
    const { call, letGo } = await aRefreshBeforeItsCommit(service, server);
    for (const _ of [1, 2, 3]) await service.owner.get('/api/info');
    expect(modern.sent.size).toBe(sent);
    await letGo();
    expect(await call).toContain('hello');
    expect(modern.sent.size).toBe(sent + 1);
  });

  it.each([
    ['goes on', 'does not rotate refresh tokens', false],
    ['needs a person', 'takes each refresh token once', true],
  ])('is lost with its process, and the set %s where the server %s', async (_, __, rotation) => {
    await setting.reset(rotation);
    const server = await aSignedInServer(service, ada);
    const agent = await anAgentOf(service, server);
    const { call, letGo } = await aRefreshBeforeItsCommit(victim, server);
    await victim.kill();
    await letGo();
    expect(await call).toContain('the process is gone');
    const claim = `SELECT claimed_until BETWEEN now() AND now() + interval '60 seconds' AS ends FROM oauth_tokens
      WHERE credential_set_id = $1`;
    expect(await service.sql(claim, [server.id])).toEqual([{ ends: true }]);
    await service.sql('UPDATE oauth_tokens SET claimed_until = now() WHERE credential_set_id = $1', [
      server.id,
    ]);
    if (rotation) {
      expect(await echo(agent, server)).toMatch(/Sign in to .*invalid_grant/);
      expect(await setOf(service, server)).toMatchObject({ state: 'sign_in_needed' });
      await signInTo(ada, server, { account: 'ada' });
    }
    expect(await echo(agent, server)).toContain('"text":"hello"');
    expect(await setOf(service, server)).toMatchObject({ state: 'ready' });
    await victim.start();
  });
});

// The rotation alone and the backup alone have smaller tests.
const itInFull = process.env['TEST_SIZE'] === 'full' ? it : it.skip;

itInFull('a sign-in goes on after a rotation of the keys, and in a restored backup', async () => {
  await setting.reset(false);
  const server = await aSignedInServer(service, ada);
  const folder = await mkdtemp(join(tmpdir(), 'awp-backup-sign-in-'));
  const target = await emptyDatabase();
  const restored = new Service({
    settings: { ...setting.settings, BOOTSTRAP_OWNER_API_KEY: service.ownerKey },
    database: target,
  });
  const place = { DATA_DIR: service.dataDir, DATABASE_URL: service.databaseUrl };
  const refreshedAt = async (at: Service) => {
    const before = await setting.granted();
    refuseTokens(modern);
    expect((await callTool(at.owner, server, 'echo', { value: 'hello' })).text).toContain('hello');
    expect((await setting.granted()) - before).toBe(1);
  };
  try {
    for (const command of ['add', 'rotate'])
      expect(await run(KEYS, [command], place)).toMatchObject({ code: 0 });
    await refreshedAt(service);
    const ring = join(folder, 'ring');
    expect(await run(BACKUP, [join(folder, 'data'), '--ring', ring], place)).toMatchObject({ code: 0 });
    await restored.furnish();
    const [name] = await readdir(join(folder, 'data'));
    const there = { DATA_DIR: restored.dataDir, DATABASE_URL: restored.databaseUrl };
    const given = [join(folder, 'data', name!), '--ring', join(ring, name!, 'keyring.json')];
    expect(await run(RESTORE, given, there)).toMatchObject({ code: 0 });
    await restored.start();
    await refreshedAt(restored);
  } finally {
    await restored.remove();
    await target.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
