import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Client, Pool } from 'pg';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { CONNECT_TIMEOUT_MS } from './data-source.js';
import { directUrl, ServiceClient, type ServiceClientConfig } from './service.client.js';

/**
 * The connections of the service themselves, for what repositories and transactions cannot do: a connection beside the
 * pool, the figures of the pool, and its end.
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
}
