import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source-pool-and-limits.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { dropDatabase, urlOf, withAdmin } from '../../support/postgres.mjs';
import { brokenFor, snapshotOf } from '../../support/schema-snapshot.js';

interface Version {
  version: string;
  lastMigration: string;
  alsoRun: string[];
}
const ROOT = resolve(import.meta.dirname, '../../..');
const versions = JSON.parse(readFileSync(join(ROOT, 'migrations/versions.json'), 'utf8')) as Version[];
/** Which of the last two versions also run on the schema of this one (decision 0061). */
const earlier = versions.slice(-3, -1).filter(({ version }) => versions.at(-1)!.alsoRun.includes(version));
const previous = versions.at(-2)!.lastMigration;
/** A schema before the words of issues and the partitions by month. */
const FIRST = '1763700006000-mcp-servers';
/** What a person has reviewed: the earlier versions can do on it all that they do, for the reason given. */
const LOOKED_AT: RegExp[] = [
  // 0.11.0 (contract §5.13): it admits all kinds of before. An earlier version lists a gate of kind checks, and the issue waits on.
  /^gates\.gates_kind_known is a new rule: .*'approval'.*'question'.*'budget'.*'checks'/,
  // 0.10.0 (contract §5.8, §5.9): they are about columns that an earlier version does not write, and a trigger writes the edge to a
  // parent. Where such a version deletes a parent, its children go to the top level, and their edges with them.
  /^issue_links\.issue_links_of_child(_blocks)? is a new rule/,
  /^issues\.issues_(label_count_range|parent_fk|parent_not_itself) is a new rule/,
];

const MIGRATIONS = join(ROOT, 'dist/migrations');

const databases: string[] = [];
async function createDatabase(clause = ''): Promise<string> {
  const name = `awp_test_upgrade_${randomBytes(6).toString('hex')}`;
  await withAdmin((client) => client.query(`CREATE DATABASE "${name}" ${clause}`));
  databases.push(name);
  return name;
}

const templates = new Map<string, Promise<string>>();
/** Returns a database that is migrated up to this migration: a copy of one that was migrated once for all tests. */
async function databaseAt(last: string): Promise<string> {
  if (!templates.has(last)) templates.set(last, makeTemplate(last));
  return urlOf(await createDatabase(`TEMPLATE "${await templates.get(last)!}" STRATEGY FILE_COPY`));
}

async function makeTemplate(last: string): Promise<string> {
  const name = await createDatabase();
  await migrateTo(urlOf(name), last);
  return name;
}
afterAll(async () => {
  for (const name of databases) await dropDatabase(name);
});

/** Migrates a database up to this migration. */
async function migrateTo(url: string, last: string): Promise<void> {
  const migrations = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.js') && name <= `${last}.js`)
    .map((name) => join(MIGRATIONS, name));
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 2), migrations }).initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
}

describe('the migrations', () => {
  for (const { version, lastMigration } of earlier)
    it(`keep every table, column and unique key that version ${version} uses, and require nothing new of it`, async () => {
      const url = await databaseAt(lastMigration);
      const before = await snapshotOf(url);
      expect(before.columns.size).toBeGreaterThan(100);
      await migrate(url);
      const broken = brokenFor(before, await snapshotOf(url));
      expect(broken.filter((one) => !LOOKED_AT.some((known) => known.test(one)))).toEqual([]);
    });

  it('make existing issues findable by their words, by parts of them and by their title', async () => {
    const url = await databaseAt(FIRST);
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
    const url = await databaseAt(FIRST);
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
    // ON CONFLICT (position) of an earlier version would fail, as its webhooks did after the partitions by month.
    ['ALTER TABLE chores DROP CONSTRAINT chores_pk', /^chores btree \(name\) is no longer unique/],
  ])('are rejected when they contain: %s', async (sql, sentence) => {
    const url = await databaseAt(previous);
    const before = await snapshotOf(url);
    const dataSource = await new DataSource(dataSourceOptions(url, 2)).initialize();
    await dataSource.query(sql);
    await dataSource.destroy();
    expect(brokenFor(before, await snapshotOf(url))).toContainEqual(expect.stringMatching(sentence));
  });
});
