import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';

/** Returns the options of every connection that the service makes. Without the time-outs node-postgres waits forever. */
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
    // Without a listener node-postgres ends the process when an idle connection breaks. The pool replaces the
    // connection, and a statement that needs one meanwhile reports the error.
    poolErrorHandler: () => undefined,
    extra: {
      connectionTimeoutMillis: 4_000,
      statement_timeout: 10_000,
      lock_timeout: 3_000,
      idle_in_transaction_session_timeout: 15_000,
      keepAlive: true,
    },
  };
}
