import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { JoiningDataSource } from '../../../src/platform/database/transactions.service.js';
import { entityClasses } from '../../support/entity-classes.js';
import { createDatabase, type TestDatabase } from '../../support/postgres.mjs';

/** What the decorators of TypeORM cannot say, with what the migrations make instead. */
const BEYOND_DECORATORS: Record<string, string> = {
  'issues.issues_goal_of_same_project':
    'FOREIGN KEY (goal_id, project_id) REFERENCES goals(id, project_id) ON DELETE SET NULL (goal_id)',
};

/** Read before the application is there: which migrations have run, and which version they need. */
const OF_MIGRATIONS = ['migrations', 'schema_needs'];

/** TypeORM takes this default for one of its own generated keys, which it is not. */
const MISREAD = /^ALTER TABLE "project_members" ALTER COLUMN "id" (?:DROP|SET) DEFAULT/;

/** PostgreSQL writes each constraint, index and column of a schema; both sides come from the same words. */
const TEXTS = `
  SELECT t.relname AS table, c.conname AS name, pg_get_constraintdef(c.oid) AS text
  FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
  WHERE t.relnamespace = $1::regnamespace AND c.contype <> 'n' AND NOT t.relispartition
  UNION ALL
  SELECT t.relname, i.relname,
         regexp_replace(pg_get_indexdef(i.oid), '^(.*) ON (ONLY )?[^ ]+ (USING .*)$', '\\1 \\3')
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
  WHERE t.relnamespace = $1::regnamespace AND NOT t.relispartition
  UNION ALL
  SELECT t.relname, a.attname, concat_ws(' ', format_type(atttypid, atttypmod),
         CASE WHEN attnotnull THEN 'NOT NULL' END, pg_get_expr(d.adbin, d.adrelid), attidentity, attgenerated)
  FROM pg_attribute a JOIN pg_class t ON t.oid = attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = attrelid AND d.adnum = attnum
  WHERE t.relnamespace = $1::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
    AND attnum > 0 AND NOT attisdropped`;

describe('the entities', () => {
  let database: TestDatabase;
  let source: DataSource;
  let drawn: DataSource;
  beforeAll(async () => {
    database = await createDatabase();
    const entities = await entityClasses();
    const open = (schema?: string): Promise<DataSource> =>
      new JoiningDataSource({
        type: 'postgres',
        url: database.url,
        entities,
        poolSize: 2,
        ...(schema && { schema }),
      }).initialize();
    source = await open();
    // Nothing but version 0.1.0 reads this column, and no entity has it; TypeORM stumbles over what it finds.
    await source.query('ALTER TABLE issues DROP COLUMN search');
    await source.query('CREATE SCHEMA drawn');
    drawn = await open('drawn');
    await drawn.synchronize();
  });
  afterAll(async () => {
    await drawn?.destroy();
    await source?.destroy();
    await database?.drop();
  });

  const textsOf = async (schema: string): Promise<Map<string, string>> => {
    const rows = await source.query<{ table: string; name: string; text: string }[]>(TEXTS, [schema]);
    return new Map(
      rows
        .filter(({ table }) => !OF_MIGRATIONS.includes(table))
        // A literal of a column's default is written with its type or without, as it was typed.
        .map(({ table, name, text }) => [
          `${table}.${name}`,
          text.replaceAll(`${schema}.`, '').replace(/'(-?\d+)'::\w+/, '$1'),
        ]),
    );
  };
  /** Indexes and tables that TypeORM is asked not to touch, because it has no word for a part of them. */
  const leftOut = (key: string): boolean => {
    const [table, name] = key.split('.') as [string, string];
    const entity = source.entityMetadatas.find(({ tableName }) => tableName === table);
    return (
      entity?.synchronize === false ||
      entity?.indices.some((index) => index.name === name && !index.synchronize) === true
    );
  };

  it('describe every table', async () => {
    const tables = await source.query<{ name: string }[]>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND NOT relispartition AND relname <> ALL ($1) ORDER BY 1`,
      [OF_MIGRATIONS],
    );
    expect(source.entityMetadatas.map(({ tableName }) => tableName).toSorted()).toEqual(
      tables.map(({ name }) => name),
    );
  });

  it('have no sequence that a failover breaks: PostgreSQL loses the page of an unlogged one on a promoted standby', async () => {
    const unlogged = await source.query<{ name: string }[]>(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'S' AND relpersistence = 'u'`,
    );
    expect(unlogged).toEqual([]);
  });

  it('leave TypeORM nothing to change', async () => {
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query).filter((query) => !MISREAD.test(query))).toEqual([]);
  });

  it('make the same constraints, indexes and columns as the migrations', async () => {
    const [migrated, made] = [await textsOf('public'), await textsOf('drawn')];
    const keys = [...new Set([...migrated.keys(), ...made.keys()])].filter((key) => !leftOut(key));
    const differences = keys
      .filter((key) => migrated.get(key) !== (BEYOND_DECORATORS[key] ?? made.get(key)))
      .map((key) => ({ key, migrated: migrated.get(key), entity: made.get(key) }));
    expect(differences).toEqual([]);
    expect(keys.length).toBeGreaterThan(700);
  });

  it('name each column of a table that TypeORM does not touch', async () => {
    for (const { tableName, columns } of source.entityMetadatas.filter(({ synchronize }) => !synchronize)) {
      const rows = await source.query<{ name: string; type: string }[]>(
        `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY 1`,
        [tableName],
      );
      expect(columns.map(({ databaseName }) => databaseName).toSorted()).toEqual(
        rows.map(({ name }) => name),
      );
    }
  });

  it.each([
    ['a column', 'ALTER TABLE comments ADD extra text'],
    [
      'the condition of an index',
      `DROP INDEX gates_expiring; CREATE INDEX gates_expiring ON gates (expires_at)`,
    ],
    [
      'a check',
      `ALTER TABLE gates DROP CONSTRAINT gates_few_options,
         ADD CONSTRAINT gates_few_options CHECK (cardinality(options) <= 99)`,
    ],
    ['a table', 'CREATE TABLE extra (id integer)'],
  ])('notice when only a migration changes %s', async (_, change) => {
    const before = await textsOf('public');
    const runner = source.createQueryRunner();
    await runner.startTransaction();
    try {
      await runner.query(change);
      const after = new Map(
        (await runner.query(TEXTS, ['public'])).map((row: { table: string; name: string; text: string }) => [
          `${row.table}.${row.name}`,
          row.text,
        ]),
      );
      expect(after).not.toEqual(before);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });
});
