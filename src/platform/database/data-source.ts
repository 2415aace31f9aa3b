import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import type { PresentUrl } from './present-url.js';
import { CONNECT_TIMEOUT_MS } from './response-limits.js';
import { STATEMENT_LIMITS } from './statement-limits.js';
import { ServiceClient, UnpreparedClient } from './service.client.js';
import { TYPES } from './timestamps.js';

/** How the pool reaches PostgreSQL: directly, or through a pooler in transaction mode. */
export interface PoolPath {
  /** A pooler rejects settings at the start of a connection; the role has them instead (see `setRoleLimits`). */
  isPooled: boolean;
  usesPreparedStatements: boolean;
  /** The URL for each new connection, where it may change. */
  presentUrl?: PresentUrl;
}

/**
 * A pooler keeps connections after the service has ended, so that this name does not mean that one runs. Commands look for
 * the connection that every process has beside its pool (`keys retire`).
 */
const POOLED = 'agent-work-platform pooled';

export const DIRECT: PoolPath = { isPooled: false, usesPreparedStatements: true };

/** Returns the options of every connection that the service makes. Without the time-outs node-postgres waits forever. */
export function dataSourceOptions(url: string, poolSize: number, path: PoolPath = DIRECT): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    applicationName: path.isPooled ? POOLED : 'agent-work-platform',
    logging: false,
    migrations: [join(import.meta.dirname, '../../../migrations/*.js')],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    poolSize,
    // Without a listener node-postgres ends the process when an idle connection breaks. The pool replaces the
    // connection, and a statement that needs one meanwhile reports the error.
    poolErrorHandler: () => undefined,
    extra: {
      types: TYPES,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      ...(path.isPooled ? {} : STATEMENT_LIMITS),
      ...(path.presentUrl && { presentUrl: path.presentUrl }),
      Client: path.usesPreparedStatements ? ServiceClient : UnpreparedClient,
    },
  };
}
