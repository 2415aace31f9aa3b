import type { LoggerService } from '@nestjs/common';
import { AbstractLogger, DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { EXIT_CONFIG, ExitError } from '../exit/exit-codes.js';
import { dataSourceOptions, DIRECT } from './data-source-pool-and-limits.js';
import { isUnavailable, sqlStateOf } from './postgres-errors.js';
import {
  LATER_REMEDY,
  laterSchema,
  laterSentence,
  refuseNeededVersion,
  type LaterSchema,
} from './schema-versions.js';
import type { PresentUrl } from './service.client.js';

/** What a run of the migrations has to say (contract §8.6). */
export interface MigrationReport {
  /** Another process migrates this database, and this one waits for it. */
  waits(): void;
  /** This many migrations are to run. */
  begins(count: number): void;
  /** A migration has run, and its change is committed. */
  ran(name: string, ms: number): void;
  /** A migration is still running; `doing` says at what, or for whom it waits. */
  runs(name: string, seconds: number, doing: string): void;
  /** A later version has migrated the database, and this one may run on it. */
  isLater(schema: LaterSchema): void;
}

/** Returns the report that writes each event as one line of the log. A later schema is a warning: the start may be the way back (contract §8.6). */
export function migrationLog(logger: LoggerService): MigrationReport {
  const log = (message: object) => logger.log(message, 'Migrations');
  return {
    waits: () => log({ msg: 'Another process migrates the database. This one waits until it has finished.' }),
    begins: (count) => log({ msg: `${count} migration(s) are to run.`, count }),
    ran: (migration, ms) => log({ msg: `Migration ${migration} ran in ${ms} ms.`, migration, ms }),
    runs: (migration, seconds, doing) =>
      log({ msg: `Migration ${migration} has run for ${seconds} s: ${doing}.`, migration, seconds }),
    isLater: (schema) => logger.warn(`${laterSentence(schema)}: ${LATER_REMEDY}.`, 'Migrations'),
  };
}

const SILENT: MigrationReport = {
  waits: () => undefined,
  begins: () => undefined,
  ran: () => undefined,
  runs: () => undefined,
  isLater: () => undefined,
};

/** Follows the migrations of a run: which one runs, on which connection and since when. */
class RunningMigration {
  private running: { name: string; since: number; pid: number } | null = null;

  constructor(private readonly report: MigrationReport) {}

  /** Follows this migration when it runs. */
  watch(migration: MigrationInterface): void {
    const up = migration.up.bind(migration);
    migration.up = async (runner) => {
      this.end();
      const [row] = (await runner.query('SELECT pg_backend_pid() AS pid')) as { pid: number }[];
      this.running = { name: nameOf(migration), since: performance.now(), pid: row!.pid };
      return up(runner);
    };
  }

  /** Reports the last migration. Call it after a run that succeeded: what failed was rolled back. */
  end(): void {
    if (this.running) this.report.ran(this.running.name, Math.round(performance.now() - this.running.since));
    this.running = null;
  }

  /** Reports what the migration does at present, asked on another connection. */
  async look(other: QueryRunner): Promise<void> {
    if (!this.running) return;
    const { name, since, pid } = this.running;
    const [activity] = (await other.query(ACTIVITY, [pid])) as Activity[];
    // It may have ended meanwhile.
    if (activity && this.running?.name === name)
      this.report.runs(name, Math.round((performance.now() - since) / 1000), doingOf(activity));
  }

  /** Names the migration in an error that does not pass by itself. */
  named(error: unknown): unknown {
    if (!this.running || isUnavailable(error)) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new ExitError(
      `Migration ${this.running.name} failed: ${message} (${sqlStateOf(error) ?? 'no SQLSTATE'}). Correct the cause in the database, such as a missing right of its user, and start again; the earlier release still runs on it.`,
      EXIT_CONFIG,
    );
  }
}

interface Activity {
  statement: string;
  /** The processes of PostgreSQL that hold what it waits for. */
  holders: number[];
  /** Of an index that is being built; null otherwise. */
  percent: number | null;
}

/** SQL: the views of PostgreSQL about a running statement are no tables of the service. */
const ACTIVITY = `
  SELECT regexp_replace(left(ltrim(query), 100), '\\s+', ' ', 'g') AS statement, pg_blocking_pids(a.pid) AS holders,
    (SELECT (100.0 * blocks_done / nullif(blocks_total, 0))::int FROM pg_stat_progress_create_index p WHERE p.pid = a.pid) AS percent
  FROM pg_stat_activity a WHERE a.pid = $1`;

function doingOf({ statement, holders, percent }: Activity): string {
  if (holders.length > 0)
    return `it waits for a lock that process ${holders.join(', ')} of PostgreSQL holds (pg_stat_activity shows it)`;
  return percent === null ? `'${statement}'` : `'${statement}', ${percent} % of the index`;
}

/** Writes nothing: TypeORM would write a failed migration to the console in a form of its own, whatever `logging` says. */
class NoLogger extends AbstractLogger {
  protected override writeLog(): void {
    return;
  }
}

/** The advisory lock that makes services which start at once on one database migrate one after the other. */
const MIGRATION_LOCK = 727_001;
const PROGRESS_MS = 10_000;

export interface MigrationOptions {
  /** The URL for each new connection, where it may change. */
  presentUrl?: PresentUrl;
  report?: MigrationReport;
  /** How often a migration that runs longer than this is reported. */
  progressMs?: number;
}

/**
 * Runs the migrations that the database lacks. Several services may call it at once.
 * @throws {ExitError} with the name of a migration that PostgreSQL refuses
 */
export async function migrate(
  url: string,
  { presentUrl = () => null, report = SILENT, progressMs = PROGRESS_MS }: MigrationOptions = {},
): Promise<void> {
  const options = dataSourceOptions(url, 2, { ...DIRECT, presentUrl });
  // A migration may take longer than a request, and waits for another service's migration.
  const extra = {
    ...options.extra,
    statement_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  };
  const dataSource = await new DataSource({
    ...options,
    extra,
    logger: new NoLogger(),
  } as typeof options).initialize();
  const lockHolder = dataSource.createQueryRunner();
  try {
    await takeLock(lockHolder, report);
    await refuseNeededVersion((sql) => dataSource.query(sql));
    await runAll(dataSource, lockHolder, { report, progressMs });
    await reportLater(dataSource, report);
  } finally {
    await lockHolder.release();
    await dataSource.destroy();
  }
}

async function takeLock(runner: QueryRunner, report: MigrationReport): Promise<void> {
  const [row] = (await runner.query('SELECT pg_try_advisory_lock($1) AS taken', [MIGRATION_LOCK])) as {
    taken: boolean;
  }[];
  if (row!.taken) return;
  report.waits();
  await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
}

/** The connection that holds the lock has nothing else to do meanwhile, and looks after the one that migrates. */
async function runAll(
  dataSource: DataSource,
  lockHolder: QueryRunner,
  { report, progressMs }: { report: MigrationReport; progressMs: number },
): Promise<void> {
  const running = new RunningMigration(report);
  for (const migration of dataSource.migrations) running.watch(migration);
  const pending = await pendingOf(dataSource);
  if (pending > 0) report.begins(pending);
  // A look that fails, such as while the database goes away, is not worth an error: the migration has its own.
  const timer = setInterval(() => void running.look(lockHolder).catch(() => undefined), progressMs);
  try {
    await dataSource.runMigrations();
    running.end();
  } catch (error) {
    throw running.named(error);
  } finally {
    clearInterval(timer);
  }
}

/** Returns how many migrations of this build the database lacks. */
async function pendingOf(dataSource: DataSource): Promise<number> {
  const [table] = await dataSource.query<{ found: string | null }[]>(
    "SELECT to_regclass('migrations') AS found",
  );
  if (!table!.found) return dataSource.migrations.length;
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
  const done = new Set(rows.map(({ name }) => name));
  return dataSource.migrations.filter((migration) => !done.has(nameOf(migration))).length;
}

async function reportLater(dataSource: DataSource, report: MigrationReport): Promise<void> {
  const schema = await laterSchema((sql) => dataSource.query(sql), dataSource.migrations.map(nameOf));
  if (schema) report.isLater(schema);
}

const nameOf = (migration: MigrationInterface): string => migration.name ?? migration.constructor.name;
