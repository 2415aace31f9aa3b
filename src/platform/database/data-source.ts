import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';

/**
 * PostgreSQL's own 4 is of turning disks, and makes it sort thousands of rows rather than follow an index to the
 * first fifty.
 */
export const PLANNED_FOR_SSD = '-c random_page_cost=1.1';

/** Options of every connection the service makes; without the time-outs node-postgres waits for ever. */
export function dataSourceOptions(url: string, poolSize: number): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    applicationName: 'agent-work-platform',
    logging: false,
    migrations: [join(import.meta.dirname, '../../../migrations/*.js')],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    poolSize,
    // Without a listener node-postgres ends the process when an idle connection breaks; the pool makes a new one.
    poolErrorHandler: () => undefined,
    extra: {
      connectionTimeoutMillis: 4_000,
      statement_timeout: 10_000,
      lock_timeout: 3_000,
      idle_in_transaction_session_timeout: 15_000,
      keepAlive: true,
      options: PLANNED_FOR_SSD,
    },
  };
}
