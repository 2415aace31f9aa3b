import { Client } from 'pg';
import { connectionUrl, type PostgresCredentials } from './postgres-cluster.js';
import type { PostgresHome } from './postgres-home.js';
import { endServer, type ServerProcess } from './postgres-process.js';
import { reachServer } from './reach-server.js';
import { startOf } from './running-process.js';

export interface RunningPostgresOptions {
  log: (line: string) => void;
  onExit: (reason: string) => void;
  settings?: Record<string, string>;
}

/** A cluster with its server, which is started or adopted, restarted after it died, and finally stopped. */
export class RunningPostgres {
  adopted = false;
  private server: ServerProcess | null = null;
  private restarting: Promise<void> | null = null;
  private stopping: Promise<void> | null = null;
  private readonly stopped = new AbortController();

  constructor(
    private readonly home: PostgresHome,
    private readonly credentials: PostgresCredentials,
    private readonly options: RunningPostgresOptions,
  ) {}

  get url(): string {
    return connectionUrl(this.server ?? { host: '127.0.0.1', port: 0 }, this.credentials);
  }

  async start(): Promise<void> {
    const { server, adopted } = await reachServer(this.home, {
      settings: this.options.settings ?? {},
      signal: this.stopped.signal,
      preferredPort: this.server?.port,
    });
    this.server = server;
    this.adopted = adopted;
    await this.signIn().catch(async (error: Error) => {
      if (!adopted) await endServer(server);
      throw new Error(`The embedded PostgreSQL rejects the service's credentials: ${error.message}`);
    });
    void server.ended.then((reason) => this.reportEnd(reason));
    this.options.log(`The embedded PostgreSQL ${adopted ? 'was running' : 'runs'} as process ${server.pid}`);
  }

  restart(): Promise<void> {
    this.restarting ??= this.startAgain().finally(() => (this.restarting = null));
    return this.restarting;
  }

  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  private async startAgain(): Promise<void> {
    if (this.stopped.signal.aborted) throw new Error('The embedded PostgreSQL was stopped for good.');
    const server = this.server;
    if (server && (await startOf(server.pid)) === server.start) return;
    await this.start();
    if (server && this.server?.port !== server.port)
      this.options.log('The embedded PostgreSQL has a new port');
  }

  private async end(): Promise<void> {
    this.stopped.abort();
    // The caller of `restart` gets its error.
    await this.restarting?.catch(() => undefined);
    if (this.server) await endServer(this.server);
  }

  private reportEnd(reason: string): void {
    if (!this.stopped.signal.aborted) this.options.onExit(reason);
  }

  private async signIn(): Promise<void> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 10_000 });
    // Without a listener an error would end the process. `connect` rejects with the same error.
    client.on('error', () => undefined);
    try {
      await client.connect();
    } finally {
      // The connection has served its purpose, however it ends.
      await client.end().catch(() => undefined);
    }
  }
}
