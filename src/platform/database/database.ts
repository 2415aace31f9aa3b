import { AsyncLocalStorage } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Client, type ClientConfig, type Pool, type PoolClient, type QueryResult } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';

/** One open transaction: TypeORM's manager and the driver's client speak over the same connection. */
interface OpenTransaction {
  manager: EntityManager;
  client: PoolClient;
  afterCommit: (() => void | Promise<void>)[];
}

const current = new AsyncLocalStorage<OpenTransaction>();

/**
 * The way to the database for repositories: inside `Transactions.run` everything goes over the transaction's
 * connection, outside over the pool. No caller ever holds one connection while it waits for another.
 */
@Injectable()
export class Database {
  constructor(@InjectDataSource() readonly dataSource: DataSource) {}

  /** TypeORM's manager of the open transaction, or of the pool. */
  get manager(): EntityManager {
    return current.getStore()?.manager ?? this.dataSource.manager;
  }

  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  /** Where the database is, with the name that the service goes by there. */
  get address(): ClientConfig {
    const { url } = this.dataSource.options as { url: string };
    const patience = { connectionTimeoutMillis: 4_000, keepAlive: true };
    return { connectionString: url, application_name: 'agent-work-platform', ...patience };
  }

  /** A connection of its own outside of the pool, not yet open; whoever asks for it ends it and hears its errors. */
  separateClient(config: ClientConfig = {}): Client {
    return new Client({ ...this.address, ...config });
  }

  /**
   * Gives up every connection of the pool, with what runs on it: for a database that took statements and does not
   * answer. Who waits is refused at once, and the pool makes new ones.
   */
  cutConnections(): void {
    const { _clients: clients } = this.pool as unknown as { _clients: { connection: { stream: Socket } }[] };
    for (const { connection } of [...clients]) connection.stream.destroy();
  }

  /** The rows of one statement; `parameters` fill `$1…`. */
  async rows<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.run(sql, parameters)).rows as Row[];
  }

  /** The first row of one statement, or null. */
  async row<Row>(sql: string, parameters: unknown[] = []): Promise<Row | null> {
    return (await this.rows<Row>(sql, parameters))[0] ?? null;
  }

  /** How many rows a statement changed. */
  async change(sql: string, parameters: unknown[] = []): Promise<number> {
    return (await this.run(sql, parameters)).rowCount ?? 0;
  }

  /**
   * As `rows`, for the hot statements: parsed and planned once a connection under `name`. The text of one
   * name must never vary: the driver refuses that.
   */
  async prepared<Row>(name: string, sql: string, parameters: unknown[]): Promise<Row[]> {
    const result = await (current.getStore()?.client ?? this.pool).query({
      name,
      text: sql,
      values: parameters,
    });
    return result.rows as Row[];
  }

  private run(sql: string, parameters: unknown[]): Promise<QueryResult> {
    return (current.getStore()?.client ?? this.pool).query(sql, parameters);
  }
}

/** The open transaction of this request, if any. Only `Transactions` needs it. */
export const openTransaction = {
  get: () => current.getStore(),
  enter: <T>(transaction: OpenTransaction, work: () => Promise<T>) => current.run(transaction, work),
  leave: <T>(work: () => T) => current.exit(work),
};
