import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MonthTurnService } from '../../../src/platform/partitions/month-turn.worker.js';
import {
  attachRange,
  carveMonth,
  DELIVERIES,
  JOURNAL,
  partitionsOf,
  positionOf,
  TOOL_CALLS,
  USAGE_HOURS,
  USAGE_REPORTS,
} from '../../../src/platform/partitions/partitions.js';
import { run } from '../../support/backup-commands.js';
import { OneConnection, writeCall } from '../../support/database-of.js';
import { createDatabase } from '../../support/postgres.mjs';
import { until } from '../../support/until.js';
import { WAITING_FOR_LOCKS } from '../../support/waiting-for-locks.js';

const ARCHIVE = resolve(import.meta.dirname, '../../../scripts/archive.mjs');
const OLD = '2025-01';
const TABLES = [DELIVERIES, JOURNAL, TOOL_CALLS, USAGE_REPORTS, USAGE_HOURS];

let database: Awaited<ReturnType<typeof createDatabase>>;
let one: OneConnection;
let folder = '';
let settings: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-archive-'));
  database = await createDatabase();
  one = await OneConnection.open(database.url);
  settings = { DATABASE_URL: database.url, DATA_DIR: folder };
  const present = new Date().toISOString().slice(0, 7);
  for (const table of [DELIVERIES, JOURNAL]) {
    await one.rows(`DROP TABLE ${table.name}_${present.replace('-', '_')}`);
    await attachRange(one, table, { month: OLD, from: '0', to: String(positionOf(present)) });
  }
  for (const table of [TOOL_CALLS, USAGE_REPORTS, USAGE_HOURS])
    await one.transactions.run(() => carveMonth(one, table, OLD));
  await one.rows(
    `INSERT INTO journal (id, created_at, type, actor_type, actor_name, subject_type, data)
     SELECT gen_random_uuid(), '2025-01-15', 'old', 'system', 'Zoë', 'test', jsonb_build_object('text', E'a "quoted" \\\\ line\\nand ' || n)
     FROM generate_series(1, 2000) AS n`,
  );
  await one.rows(`UPDATE journal_months SET month = $1, begun_at = '2025-01-01'`, [OLD]);
  await one.rows(
    `INSERT INTO webhooks (id, url, since_position, disabled) VALUES (gen_random_uuid(), 'https://example.com', 0, true)`,
  );
  await one.rows(
    `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_position, type, lane, status, created_at)
     SELECT gen_random_uuid(), w.id, j.id, j.position, j.type, 'x', 'succeeded', j.created_at FROM webhooks w, journal j`,
  );
  await one.rows(
    `INSERT INTO usage_hours (hour, agent_id, turns) SELECT '2025-01-10', gen_random_uuid(), n FROM generate_series(1, 20) AS n`,
  );
  await one.rows(
    `INSERT INTO usage_reports (agent_id, report_id, at, month, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_micros)
     VALUES (gen_random_uuid(), gen_random_uuid(), '2025-01-10', '2025-01-01', 1, 2, 3, 4, 9007199254740993)`,
  );
  await writeCall(one, '2025-01-15T12:00:00.123Z');
  await new MonthTurnService(one.source, one.transactions).turn(present);
});
afterAll(async () => {
  await one.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const archive = (...args: string[]) => run(ARCHIVE, args, settings);
/** Every row of the month as text, without the ids of transactions. */
const rows = async () => {
  const found: Record<string, unknown[]> = {};
  for (const { name, order } of TABLES)
    found[name] = await one.rows(
      `SELECT to_jsonb(t) - 'transaction_id' AS row FROM ${name} t WHERE tableoid::regclass::text LIKE '%2025_01' ORDER BY ${order}`,
    );
  return found;
};
const hasMonth = async () => (await partitionsOf(one, JOURNAL)).some(({ month }) => month === OLD);

describe('npm run archive', () => {
  let before: Awaited<ReturnType<typeof rows>>;
  beforeAll(async () => void (before = await rows()));

  it('keeps the month when it was killed at any point, and then goes on', async () => {
    await killWhen(async () => (await namesIn(join(folder, 'archive'))).length > 0);
    await archive('--restore', OLD);
    expect(await rows()).toEqual(before);
    const reader = await OneConnection.open(database.url);
    await reader.rows('BEGIN');
    await reader.rows('SELECT 1 FROM webhook_deliveries LIMIT 1');
    await killWhen(async () => (await one.rows(WAITING_FOR_LOCKS)).length > 0);
    await reader.end();
    expect(await rows()).toEqual(before);
    expect(await archive('--dry-run', OLD)).toMatchObject({ code: 0 });
    expect(await archive(OLD, '--keep')).toMatchObject({ code: 0 });
    const names = await namesIn(join(folder, 'archive'));
    for (const { name } of TABLES) expect(names).toContain(`${name}-${OLD}.jsonl.gz`);
    const manifest = JSON.parse(await readFile(join(folder, `archive/journal-${OLD}.json`), 'utf8')) as {
      rows: number;
    };
    expect(manifest.rows).toBe(2000);
    const [first] = gunzipSync(await readFile(join(folder, `archive/journal-${OLD}.jsonl.gz`)))
      .toString()
      .split('\n');
    expect(JSON.parse(first!)).toMatchObject({
      position: 1,
      actor_name: 'Zoë',
      data: { text: 'a "quoted" \\ line\nand 1' },
    });
  });

  it('drops nothing that the archive does not have as it is', async () => {
    await one.rows(`UPDATE webhook_deliveries SET tries = 7 WHERE event_position = 5`);
    const changed = await archive(OLD);
    expect(changed.code).toBe(1);
    expect(changed.said).toContain('the database has other rows than the archive');
    await one.rows(`UPDATE webhook_deliveries SET tries = 0 WHERE event_position = 5`);
    const file = join(folder, `archive/webhook_deliveries-${OLD}.jsonl.gz`);
    const good = await readFile(file);
    await writeFile(file, good.subarray(0, good.length - 100));
    const damaged = await archive(OLD);
    await writeFile(file, good);
    expect(damaged.code).toBe(1);
    expect(await hasMonth()).toBe(true);
    expect((await one.rows('SELECT 1 FROM webhook_deliveries')).length).toBe(2000);
  });

  it('moves a month out of the database and back, each value as it was', async () => {
    const moved = await run(ARCHIVE, [OLD], { ...settings, DELIVERY_RETENTION_DAYS: '30' });
    expect(moved).toMatchObject({ code: 0 });
    expect(await hasMonth()).toBe(false);
    expect(await rows()).toEqual(Object.fromEntries(TABLES.map(({ name }) => [name, []])));
    expect(await one.rows(`SELECT data->>'rows' AS rows FROM journal WHERE type = 'journal.pruned'`)).toEqual(
      [{ rows: '2000' }],
    );
    expect((await archive('--list')).said).toContain(`${OLD} journal: 2000 rows`);
    expect(await archive('--verify')).toMatchObject({ code: 0 });
    const restored = await archive('--restore', OLD);
    expect(restored).toMatchObject({ code: 0 });
    expect(await rows()).toEqual(before);
    expect((await archive(OLD)).code).toBe(0);
    expect(await hasMonth()).toBe(false);
  });
});

/** Kills the command, without a warning, at a moment that the test recognizes. */
async function killWhen(isThere: () => Promise<boolean>): Promise<void> {
  const env = { PATH: process.env['PATH'], ...settings };
  const child = spawn(process.execPath, [ARCHIVE, OLD], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await until(isThere);
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  const others = `FROM pg_stat_activity WHERE application_name = 'agent-work-platform command' AND datname = current_database()`;
  await one.rows(`SELECT pg_terminate_backend(pid) ${others}`);
  await until(async () => (await one.rows(`SELECT 1 ${others}`)).length === 0);
}

async function namesIn(path: string): Promise<string[]> {
  // The folder is made with the first file.
  return readdir(path).catch(() => []);
}
