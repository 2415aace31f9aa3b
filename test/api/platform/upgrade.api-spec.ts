import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, readdirSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { aComment, anAgent, anIssue, aProject, type Issue } from '../../support/builders.js';
import { Caller } from '../../support/caller.js';
import { dropDatabase, urlOf, withAdmin } from '../../support/postgres.mjs';
import { brokenFor, snapshotOf } from '../../support/schema-snapshot.js';
import { Service } from '../../support/service.js';

/**
 * The build that the next one must be able to run beside: its last migration and its commit. It moves forward
 * with each release, as docs/openapi.released.json is.
 */
const RELEASED = { lastMigration: 1_763_700_006_000, commit: 'a231edb' };
/** Constraints on old tables that a person has reviewed: they accept everything that the released build writes. */
const LOOKED_AT: RegExp[] = [
  // The released build never writes these columns, and NULL passes.
  /^api_keys\.api_keys_session_fk is a new rule/,
  /^api_keys\.api_keys_parent_fk is a new rule/,
  // Nor these: NULL passes the first, and the default of its column the second.
  /^server_access\.server_access_ask_known is a new rule/,
  /^server_access\.server_access_approver_role_known is a new rule/,
  // The released build never writes this column, and the default is an object.
  /^installed_servers\.installed_servers_limits_form is a new rule/,
  // The released build never writes this column, whose default passes.
  /^projects\.projects_agents_may_assign is a new rule/,
  // A trigger makes the set `default`, under the id of the server, for each server that the released build installs.
  /^server_credentials\.server_credentials_server_fk is a new rule: FOREIGN KEY \(server_id\) REFERENCES credential_sets/,
  // The released build never writes this column, and NULL passes.
  /^server_access\.server_access_credential_set_fk is a new rule/,
  // The same column as before, in a table with partitions.
  /^journal\.journal_pk is a new rule/,
  // Its default fills the column that the released build does not write.
  /^project_members\.project_members_pk is a new rule/,
  // Wider: the id and the time.
  /^tool_calls\.tool_calls_pk is a new rule/,
];

const ROOT = resolve(import.meta.dirname, '../../..');
const MIGRATIONS = join(ROOT, 'dist/migrations');
const full = process.env['TEST_SIZE'] === 'full' ? it : it.skip;

const databases: string[] = [];
async function emptyDatabase(): Promise<string> {
  const name = `awp_test_upgrade_${randomBytes(6).toString('hex')}`;
  await withAdmin((client) => client.query(`CREATE DATABASE "${name}"`));
  databases.push(name);
  return urlOf(name);
}
afterAll(async () => {
  for (const name of databases) await dropDatabase(name);
});

/** Migrates a database to the state in which the released build leaves it. */
async function migrateToReleased(url: string): Promise<void> {
  const migrations = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.js') && Number(/^\d+/.exec(name)?.[0]) <= RELEASED.lastMigration)
    .map((name) => join(MIGRATIONS, name));
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 2), migrations }).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
}

describe('the migrations since the released build', () => {
  it('keep every table, column and privilege that it uses, and require nothing new of it', async () => {
    const url = await emptyDatabase();
    await migrateToReleased(url);
    const before = await snapshotOf(url);
    expect(before.columns.size).toBeGreaterThan(100);
    await migrate(url);
    const broken = brokenFor(before, await snapshotOf(url));
    expect(broken.filter((one) => !LOOKED_AT.some((known) => known.test(one)))).toEqual([]);
  });

  it('make existing issues findable by their words, by parts of them and by their title', async () => {
    const url = await emptyDatabase();
    await migrateToReleased(url);
    const before = await new DataSource(dataSourceOptions(url, 1)).initialize();
    await before.query(
      `WITH project AS (INSERT INTO projects (id, key, name) VALUES (gen_random_uuid(), 'OLD', 'Old') RETURNING id)
       INSERT INTO issues (id, project_id, number, title, description, status, created_by_type, created_by_name, updated_at)
       SELECT gen_random_uuid(), id, n, 'Written before 日本語の課題', 'v1.2.3', 'Open', 'system', 'test', now() - interval '1 year'
       FROM project, generate_series(1, 12000) AS n`,
    );
    await migrate(url);
    for (const query of [`'written'`, `'課題'`, `'1.2' & '2.3'`, `'t writ':*`])
      expect(
        await before.query(`SELECT 1 FROM issue_words WHERE words @@ $1::tsquery`, [query]),
      ).toHaveLength(12_000);
    await before.query(`DELETE FROM issues WHERE number > 1`);
    expect(await before.query(`SELECT 1 FROM issue_words`)).toHaveLength(1);
    await before.destroy();
  });

  it('move the rows of tables that grow into a partition per month, and go on after the last position', async () => {
    const url = await emptyDatabase();
    await migrateToReleased(url);
    const before = await new DataSource(dataSourceOptions(url, 1)).initialize();
    for (const [type, at] of [
      ['first', '2026-03-31T23:59:59Z'],
      ['second', '2026-04-01T00:00:00Z'],
      ['late', '2026-03-31T23:59:00Z'],
      ['third', '2026-06-15T12:00:00Z'],
    ])
      await before.query(
        `INSERT INTO journal (id, created_at, type, actor_type, actor_name, subject_type, data)
         VALUES (gen_random_uuid(), $2, $1, 'system', 'test', 'test', '{"kept": true}')`,
        [type, at],
      );
    await before.query(
      `INSERT INTO tool_calls (id, called_at, server_id, server_name, tool, argument_shape, result, duration_ms)
       SELECT gen_random_uuid(), at, gen_random_uuid(), 'x', 'x', '{}', 'ok', 1
       FROM unnest(ARRAY['2026-03-31T23:59:59Z', '2026-04-01T00:00:00Z']::timestamptz[]) AS at`,
    );
    const journal =
      'SELECT position, id, type, created_at, data, transaction_id FROM journal ORDER BY position';
    const rows = await before.query(journal);
    await migrate(url);
    expect(await before.query(journal)).toEqual(rows);
    await before.query(
      `INSERT INTO journal (id, type, actor_type, actor_name, subject_type) VALUES (gen_random_uuid(), 'new', 'system', 'x', 'x')`,
    );
    const places = await before.query(
      'SELECT type, tableoid::regclass::text AS place FROM journal ORDER BY position',
    );
    const calls = await before.query(
      'SELECT tableoid::regclass::text AS place FROM tool_calls ORDER BY called_at',
    );
    await before.destroy();
    const present = new Date().toISOString().slice(0, 7).replace('-', '_');
    expect(places).toEqual([
      { type: 'first', place: 'journal_2026_03' },
      { type: 'second', place: 'journal_2026_04' },
      { type: 'late', place: 'journal_2026_04' },
      { type: 'third', place: 'journal_2026_06' },
      { type: 'new', place: `journal_${present}` },
    ]);
    expect(calls).toEqual([{ place: 'tool_calls_2026_03' }, { place: 'tool_calls_2026_04' }]);
  });

  it.each([
    ['ALTER TABLE issues DROP COLUMN attempts', /^issues\.attempts is gone$/],
    ['ALTER TABLE issues RENAME COLUMN title TO name', /^issues\.title is gone$/],
    ['ALTER TABLE issues ALTER COLUMN attempts TYPE bigint', /^issues\.attempts is bigint now/],
    ['ALTER TABLE issues ALTER COLUMN goal_id SET NOT NULL', /^issues\.goal_id can no longer/],
    ['ALTER TABLE goals ADD COLUMN due timestamptz NOT NULL', /^goals\.due is new and must be given$/],
    ["ALTER TABLE goals ADD CONSTRAINT short CHECK (title <> 'x')", /^goals\.short is a new rule/],
    ['CREATE UNIQUE INDEX one ON goals (title)', /^goals\.one is a new rule/],
  ])('are rejected when they contain: %s', async (sql, sentence) => {
    const url = await emptyDatabase();
    await migrateToReleased(url);
    const before = await snapshotOf(url);
    const dataSource = await new DataSource(dataSourceOptions(url, 2)).initialize();
    await dataSource.query(sql);
    await dataSource.destroy();
    expect(brokenFor(before, await snapshotOf(url))).toContainEqual(expect.stringMatching(sentence));
  });
});

/** Builds the released build from its commit with this checkout's packages, which takes about a minute. */
describe('the released build on a database that this one has migrated', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'awp-released-'))));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function buildReleased(): string {
    const archive = execFileSync('git', ['archive', RELEASED.commit], { cwd: ROOT, maxBuffer: 2 ** 28 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    execFileSync(process.execPath, ['node_modules/typescript7/bin/tsc', '--project', '.'], { cwd: folder });
    for (const file of readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.json')) cpSync(join(folder, 'src', file), join(folder, 'dist/src', file));
    return join(folder, 'dist/src/main.js');
  }

  full(
    'runs the main flow beside this build',
    async () => {
      const main = buildReleased();
      const service = await new Service().start();
      const released = await service.second({}, { main });
      try {
        const owner = service.owner.at(released).unchecked();
        const project = await aProject(owner);
        const agent = await anAgent(owner);
        const first = await anIssue(owner, project, { assignedAgentId: agent.id });
        const second = await anIssue(owner, project, {
          assignedAgentId: agent.id,
          blockedByIssueId: first.id,
        });
        await aComment(owner, first);
        const worker = new Caller(released, { key: agent.key, checked: false });
        const heartbeat = await worker.post<{ pickedUp: { lease: { token: number } }[] }>(
          '/api/agents/me/heartbeat',
          {},
        );
        expect(heartbeat.body.pickedUp).toHaveLength(1);
        const headers = { 'lease-token': String(heartbeat.body.pickedUp[0]!.lease.token) };
        const path = `/api/projects/issues/${first.id}`;
        expect((await worker.put(path, { status: 'Resolved' }, { headers })).status).toBe(200);
        // Each build reads what the other one writes.
        for (const caller of [owner, service.owner])
          expect((await caller.get<Issue>(`/api/projects/issues/${second.id}`)).body.status).toBe('Open');
      } finally {
        await service.remove();
      }
    },
    300_000,
  );
});
