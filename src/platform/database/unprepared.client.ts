import type { Client } from 'pg';
import { SteadyClient, type SteadyConfig } from './steady.client.js';

/**
 * A connection that names no prepared statement, for poolers that hand a connection to another client after each
 * transaction and do not follow the names (`DATABASE_PREPARED=off`). Libraries that name statements of their own use it too.
 */
export class UnpreparedClient extends SteadyClient {
  constructor(config?: SteadyConfig) {
    super(config);
    const send = this.query.bind(this) as (...args: unknown[]) => unknown;
    // The declared type of `query` has a dozen overloads; this one passes on whatever it gets.
    this.query = ((statement: unknown, ...rest: unknown[]) =>
      send(withoutName(statement), ...rest)) as Client['query'];
  }
}

function withoutName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('name' in statement)) return statement;
  // A `Query` object keeps its state in itself, so it is changed and not copied.
  return Object.assign(statement, { name: undefined });
}
