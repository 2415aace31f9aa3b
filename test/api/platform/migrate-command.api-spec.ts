import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { emptyDatabase } from '../../support/backup-commands.js';
import { commandNamed, runAlone } from '../../support/commands.js';
import { until } from '../../support/until.js';

const MIGRATE = commandNamed('migrate');
const BUILT = resolve(import.meta.dirname, '../../../dist/src/platform/database/migrate.js');

/** Runs `npm run migrate` in a process of its own, to whose output the log is written. */
async function migrated(settings: Record<string, string>) {
  const { code, stdout, stderr } = await runAlone(MIGRATE, [], settings);
  return { code, said: stdout + stderr };
}

describe('npm run migrate', () => {
  let database: { url: string; drop: () => Promise<unknown> };
  beforeAll(async () => {
    database = await emptyDatabase();
  });
  afterAll(() => database.drop());

  it('names each migration with its time, in the form of the log, and changes nothing in a migrated database', async () => {
    const settings = { DATABASE_URL: database.url, NODE_ENV: 'production' };
    const first = await migrated(settings);
    expect(first.code).toBe(0);
    const lines = linesOf(first.said);
    const count = await migrationsOf(database.url);
    expect(count).toBeGreaterThan(20);
    expect(lines[0]!.msg).toBe(`${count} migration(s) are to run.`);
    const ran = lines.filter(({ migration }) => migration !== undefined);
    expect(ran).toHaveLength(count);
    for (const { migration, ms, msg } of ran) expect(msg).toBe(`Migration ${migration} ran in ${ms} ms.`);
    const done = 'The database has all migrations of this version.';
    expect(lines.at(-1)).toMatchObject({ level: 'info', msg: done });
    const second = await migrated(settings);
    expect(linesOf(second.said).map(({ msg }) => msg)).toEqual([done]);
    expect(await migrationsOf(database.url)).toBe(count);
  });

  it.each([
    [78, {}, 'Set DATABASE_URL'],
    [1, { DATABASE_URL: 'postgres://awp:x@127.0.0.1:1/awp' }, 'no PostgreSQL responds at 127.0.0.1:1'],
  ])('ends with %d for the settings %j', async (code, settings, sentence) => {
    expect(await migrated(settings)).toEqual({ code, said: expect.stringContaining(sentence) });
  });
});

describe('a migration', () => {
  let database: { url: string; drop: () => Promise<unknown> };
  let other: Client;
  beforeEach(async () => {
    database = await emptyDatabase();
    other = new Client({ connectionString: database.url });
    await other.connect();
  });
  afterEach(async () => {
    await other.end();
    await database.drop();
  });

  it('that takes long is reported with what it waits for, again and again', async () => {
    // An uncommitted table of the same name makes the first migration wait.
    await other.query('BEGIN; CREATE TABLE users ()');
    const [holder] = (await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows;
    const running = migrating(database.url);
    const waits = new RegExp(
      `^Migration UsersAgentsKeys\\d+ has run for \\d+ s: it waits for a lock that process ${holder!.pid} `,
    );
    await until(() => running.lines().filter(({ msg }) => waits.test(msg)).length > 1);
    await other.query('ROLLBACK');
    expect(await running.ended).toBe(0);
    expect(running.lines().at(-1)!.msg).toMatch(/^Migration \w+ ran in \d+ ms\.$/);
  });

  it('that another process runs is waited for, and the log says so', async () => {
    await other.query('SELECT pg_advisory_lock(727001)');
    const running = migrating(database.url);
    const waits = 'Another process migrates the database. This one waits until it has finished.';
    await until(() => running.lines().some(({ msg }) => msg === waits));
    await other.query('SELECT pg_advisory_unlock(727001)');
    expect(await running.ended).toBe(0);
  });

  it('that PostgreSQL refuses is named, and ends with 78', async () => {
    await other.query('CREATE TABLE users ()');
    const { code, said } = await migrated({ DATABASE_URL: database.url });
    expect(code).toBe(78);
    expect(linesOf(said).at(-1)).toMatchObject({
      level: 'fatal',
      exitCode: 78,
      msg: expect.stringMatching(
        /^The database was not migrated\. Migration UsersAgentsKeys\d+ failed: relation "users" already exists \(42P07\)\. Correct/,
      ),
    });
    expect(said).not.toMatch(/\n\s+at /);
  });
});

interface Line {
  level: string;
  msg: string;
  migration?: string;
  ms?: number;
}

const linesOf = (said: string) =>
  said.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));

/** Migrates in a process of its own that reports a running migration every 20 ms. */
function migrating(url: string): { lines: () => Line[]; ended: Promise<number | null> } {
  const code = `const { migrate, migrationLog } = await import(process.argv[1]);
    const line = (message) => console.log(JSON.stringify(message));
    await migrate(process.argv[2], { report: migrationLog({ log: line, warn: line }), progressMs: 20 });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, BUILT, url]);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += String(chunk)));
  const lines = () => linesOf(said.slice(0, said.lastIndexOf('\n') + 1));
  return { lines, ended: new Promise((done) => child.once('close', done)) };
}

async function migrationsOf(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM migrations');
  await client.end();
  return rows[0]!.count;
}
