import { DataSource, type MigrationInterface } from 'typeorm';
import { dataSourceOptions, DIRECT } from './data-source.js';
import { MigrationTimes } from './migration-times.js';
import type { PresentUrl } from './present-url.js';

/** The advisory lock that makes services which start at once on one database migrate one after the other. */
const MIGRATION_LOCK = 727_001;

/** What a run of the migrations has to say (contract §8.6). */
export interface MigrationReport {
  /** A migration has run, and its change is committed. */
  ran(name: string, ms: number): void;
  /** A later release has migrated the database; the names are those of the last migrations. */
  isLater(ofDatabase: string, ofBuild: string): void;
}

const SILENT: MigrationReport = { ran: () => undefined, isLater: () => undefined };

export interface MigrationOptions {
  /** The URL for each new connection, where it may change. */
  presentUrl?: PresentUrl;
  report?: MigrationReport;
}

/** Runs the migrations that the database lacks. Several services may call it at once. */
export async function migrate(
  url: string,
  { presentUrl = () => null, report = SILENT }: MigrationOptions = {},
): Promise<void> {
  const options = dataSourceOptions(url, 2, { ...DIRECT, presentUrl });
  // A migration may take longer than a request, and waits for another service's migration.
  const extra = {
    ...options.extra,
    statement_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  };
  const dataSource = await new DataSource({ ...options, extra } as typeof options).initialize();
  const lockHolder = dataSource.createQueryRunner();
  try {
    await lockHolder.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const times = new MigrationTimes((name, ms) => report.ran(name, ms));
    for (const migration of dataSource.migrations) times.watch(nameOf(migration), migration);
    await dataSource.runMigrations();
    times.end();
    await reportLater(dataSource, report);
  } finally {
    await lockHolder.release();
    await dataSource.destroy();
  }
}

/** Compares the last migration that has run with the last one of this build. */
async function reportLater(dataSource: DataSource, report: MigrationReport): Promise<void> {
  const names = dataSource.migrations.map(nameOf);
  const last = names.toSorted((a, b) => timeOf(a) - timeOf(b)).at(-1);
  if (last === undefined) return;
  const [later] = await dataSource.query<{ name: string }[]>(
    'SELECT name FROM migrations WHERE timestamp > $1 ORDER BY timestamp DESC LIMIT 1',
    [timeOf(last)],
  );
  if (later) report.isLater(later.name, last);
}

const nameOf = (migration: MigrationInterface): string => migration.name ?? migration.constructor.name;

/** The name of a migration ends with its time in milliseconds. */
const timeOf = (name: string): number => Number(name.slice(-13));
