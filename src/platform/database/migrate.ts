import { DataSource, type MigrationInterface } from 'typeorm';
import { dataSourceOptions, DIRECT } from './data-source.js';
import type { PresentUrl } from './service.client.js';

/** Measures how long each migration of a run takes, up to its commit. */
export class MigrationTimes {
  private running: { name: string; since: number } | null = null;

  /** @param report is called once per migration, when the next one begins or the run ends */
  constructor(private readonly report: (name: string, ms: number) => void) {}

  /** Measures this migration when it runs. */
  watch(name: string, migration: MigrationInterface): void {
    const up = migration.up.bind(migration);
    migration.up = (runner) => {
      this.end();
      this.running = { name, since: performance.now() };
      return up(runner);
    };
  }

  /** Reports the last migration. Call it after a run that succeeded: what failed was rolled back. */
  end(): void {
    if (this.running) this.report(this.running.name, Math.round(performance.now() - this.running.since));
    this.running = null;
  }
}

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
