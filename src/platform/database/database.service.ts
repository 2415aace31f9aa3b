import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Client, Pool, QueryResult } from 'pg';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { CONNECT_TIMEOUT_MS } from './data-source.js';
import { directUrl } from './present-url.js';
import { prepared, ServiceClient, type ServiceClientConfig, tracedStatement } from './service.client.js';
import { clientOfTransaction } from './transactions.service.js';

/**
 * Gives repositories access to the database. Inside `TransactionsService.run` every statement uses the transaction's
 * connection, outside it one of the pool. No caller ever holds one connection while it waits for another.
 */
@Injectable()
export class DatabaseService {
  constructor(
    @InjectDataSource() readonly dataSource: DataSource,
    private readonly settings: Settings,
  ) {}

  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  /** The connection parameters of the database itself, past a pooler, with the service's application name. */
  get address(): ServiceClientConfig {
    const url = this.settings.databaseDirectUrl ?? (this.dataSource.options as { url: string }).url;
    const patience = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true };
    const presentUrl = directUrl(this.settings);
    return { connectionString: url, presentUrl, application_name: 'agent-work-platform', ...patience };
  }

  /** Creates a connection outside of the pool, not yet open. The caller ends it and listens to its errors. */
  separateClient(config: ServiceClientConfig = {}): Client {
    return new ServiceClient({ ...this.address, ...config });
  }

  /**
   * Closes every connection of the pool with the statements that run on it, for a database that accepted statements
   * and does not respond. Waiting callers fail at once, and the pool opens new connections.
   */
  cutConnections(): void {
    const { _clients: clients } = this.pool as unknown as { _clients: { connection: { stream: Socket } }[] };
    for (const { connection } of [...clients]) connection.stream.destroy();
  }

  /** Returns the rows of one statement; `parameters` fill `$1…`. */
  async rows<Row>(sql: string, parameters: unknown[] = [], name: string | null = null): Promise<Row[]> {
    return (await this.run(sql, parameters, name)).rows as Row[];
  }

  /** Returns the first row of one statement, or null. */
  async row<Row>(sql: string, parameters: unknown[] = []): Promise<Row | null> {
    return (await this.rows<Row>(sql, parameters))[0] ?? null;
  }

  /** Runs one statement and returns how many rows it changed. */
  async change(sql: string, parameters: unknown[] = []): Promise<number> {
    return (await this.run(sql, parameters, null)).rowCount ?? 0;
  }

  /**
   * Like `rows`, for frequent statements: each connection parses and plans the statement once under `name`. The text
   * under one name must never vary; the driver rejects that.
   */
  async prepared<Row>(name: string, sql: string, parameters: unknown[]): Promise<Row[]> {
    return this.rows<Row>(prepared(name, sql), parameters, name);
  }

  private run(sql: string, parameters: unknown[], name: string | null): Promise<QueryResult> {
    const client = clientOfTransaction();
    if (client) return client.query(sql, parameters);
    return tracedStatement(name, sql, () => this.pool.query(sql, parameters));
  }
}
