import { DataSource } from 'typeorm';
import { dataSourceOptions, DIRECT } from './data-source.js';
import type { PresentUrl } from './present-url.js';

/** The advisory lock that makes services which start at once on one database migrate one after the other. */
const MIGRATION_LOCK = 727_001;

/**
 * Runs the migrations that the database lacks. Several services may call it at once.
 * @param presentUrl the URL for each new connection, where it may change
 */
export async function migrate(url: string, presentUrl: PresentUrl = () => null): Promise<void> {
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
    await dataSource.runMigrations();
  } finally {
    await lockHolder.release();
    await dataSource.destroy();
  }
}
