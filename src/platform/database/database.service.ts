import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Client, Pool } from 'pg';
import { Subject } from 'rxjs';
import { DataSource } from 'typeorm';
import { Settings } from '../config/settings.js';
import { CONNECT_TIMEOUT_MS, type ServicePool } from './data-source-pool-and-limits.js';
import { directUrl, poolUrl, ServiceClient, type ServiceClientConfig } from './service.client.js';

/** Connects and ends the connection. @throws {Error} when the database refuses it */
async function proven(client: Client): Promise<void> {
  try {
    await client.connect();
  } finally {
    // The result is known.
    void client.end().catch(() => undefined);
  }
}

type Taken = (...taken: unknown[]) => void;
type Connect = (done?: Taken) => unknown;

/**
 * The connections of the service themselves, for what repositories and transactions cannot do: a connection beside the
 * pool, the figures of the pool, and its end.
 */
@Injectable()
export class DatabaseService {
  /** The login of the database was replaced: who has a connection beside the pool makes another one. */
  readonly renewed = new Subject<void>();

  constructor(
    @InjectDataSource() readonly dataSource: DataSource,
    private readonly settings: Settings,
  ) {}

  get pool(): Pool {
    return (this.dataSource.driver as unknown as { master: Pool }).master;
  }

  /** Writes whose confirmation is late, and whose connections wait for it. */
  get unconfirmedWrites(): number {
    return (this.pool as ServicePool).unconfirmed;
  }

  /** Reports of each caller how many seconds it waited for a connection of the pool, or until it was refused one. */
  observeWaits(observe: (seconds: number) => void): void {
    const { pool } = this;
    const connect = pool.connect.bind(pool) as Connect;
    // The pool has events of connections, and none of the callers that wait.
    pool.connect = ((done?: Taken) => {
      const begun = performance.now();
      const end = () => observe((performance.now() - begun) / 1000);
      if (done) return connect((...taken: unknown[]) => (end(), done(...taken)));
      const opened = connect() as Promise<unknown>;
      opened.then(end, end);
      return opened;
    }) as Pool['connect'];
  }

  /** The connection parameters of the database itself, past a pooler, with the service's application name. */
  get address(): ServiceClientConfig {
    const url = this.settings.databaseDirectUrl ?? (this.dataSource.options as { url: string }).url;
    const patience = { connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true };
    const presentUrl = directUrl(this.settings);
    return { connectionString: url, presentUrl, application_name: 'agent-work-platform', ...patience };
  }

  /**
   * Has every connection use the login that the files of the settings have now. Connections of the former one end without
   * a failure of their work, so that its role can be removed.
   * @throws {Error} when the new login is refused; then nothing has changed
   */
  async renewLogin(): Promise<void> {
    const presentUrl = poolUrl(this.settings);
    const ofPool = new ServiceClient({ ...this.address, presentUrl });
    for (const client of [ofPool, this.separateClient()]) await proven(client);
    if (ofPool.login !== null) (this.pool as ServicePool).renew(ofPool.login);
    this.renewed.next();
  }

  /** Creates a connection outside of the pool, not yet open. The caller ends it and listens to its errors. */
  separateClient(config: ServiceClientConfig = {}): ServiceClient {
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
