import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from '@jest/globals';
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

const ARCHIVE = resolve(import.meta.dirname, '../../../scripts/archive.mjs');
/** The month that the tests archive. */
export const OLD = '2025-01';
/** The tables of which a month is archived. */
export const TABLES = [DELIVERIES, JOURNAL, TOOL_CALLS, USAGE_REPORTS, USAGE_HOURS];

/** A database with rows of an old month in each table of months, and the command that archives them. */
export class OldMonth {
  private constructor(
    readonly folder: string,
    readonly database: Awaited<ReturnType<typeof createDatabase>>,
    readonly one: OneConnection,
  ) {}

  static async open(): Promise<OldMonth> {
    const folder = await mkdtemp(join(tmpdir(), 'awp-archive-'));
    const database = await createDatabase();
    const month = new OldMonth(folder, database, await OneConnection.open(database.url));
    await month.fill();
    return month;
  }

  async end(): Promise<void> {
    await this.one.end();
    await this.database.drop();
    await rm(this.folder, { recursive: true, force: true });
  }

  get settings(): Record<string, string> {
    return { DATABASE_URL: this.database.url, DATA_DIR: this.folder };
  }

  archive(...args: string[]) {
    return this.archiveWith({}, ...args);
  }

  archiveWith(settings: Record<string, string>, ...args: string[]) {
    return run(ARCHIVE, args, { ...this.settings, ...settings });
  }

  /** Every row of the month as text, without the ids of transactions. */
  async rows(): Promise<Record<string, unknown[]>> {
    const found: Record<string, unknown[]> = {};
    for (const { name, order } of TABLES)
      found[name] = await this.one.rows(
        `SELECT to_jsonb(t) - 'transaction_id' AS row FROM ${name} t WHERE tableoid::regclass::text LIKE '%2025_01' ORDER BY ${order}`,
      );
    return found;
  }

  async isThere(): Promise<boolean> {
    return (await partitionsOf(this.one, JOURNAL)).some(({ month }) => month === OLD);
  }

  /** The names of the archive's files. Its folder is made with the first of them. */
  async archived(): Promise<string[]> {
    return readdir(join(this.folder, 'archive')).catch(() => []);
  }

  /** Kills the command, without a warning, at a moment that the test recognizes. */
  async killWhen(isThere: () => Promise<boolean>): Promise<void> {
    const env = { PATH: process.env['PATH'], ...this.settings };
    const child = spawn(process.execPath, [ARCHIVE, OLD], { env, stdio: 'ignore' });
    const ended = once(child, 'exit');
    await until(isThere);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
    const others = `FROM pg_stat_activity WHERE application_name = 'agent-work-platform command' AND datname = current_database()`;
    await this.one.rows(`SELECT pg_terminate_backend(pid) ${others}`);
    await until(async () => (await this.one.rows(`SELECT 1 ${others}`)).length === 0);
  }

  private async fill(): Promise<void> {
    const { one } = this;
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
  }
}
