import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { EXIT_CONFIG, StartError } from '../exit/exit-codes.js';
import {
  type DataDirLock,
  lockDataDir,
  servesCluster,
  startOf,
} from './data-dir-lock-and-process-identity.js';
import {
  clusterExists,
  connectionUrl,
  createCluster,
  createCredentials,
  type PostgresCredentials,
  prepareCluster,
  readCredentials,
} from './postgres-cluster.js';
import { openHome, type PostgresHome } from './postgres-home.js';
import {
  disarmPostmasterPid,
  endServer,
  readPostmasterPid,
  removeOldSockets,
  ServerDidNotStart,
  type ServerProcess,
  type SpawnOptions,
  spawnServer,
  watchForeignServer,
} from './postgres-process.js';

export interface EmbeddedPostgresOptions {
  /** The cluster is in `<dataDir>/postgres`. The caller holds `lockDataDir`: nothing here refuses a second server. */
  dataDir: string;
  log: (line: string) => void;
  /** Called when the server dies without stop(); `restart()` may be called from it. */
  onExit: (reason: string) => void;
  /** PostgreSQL settings that override the shipped ones, such as `fsync: 'off'` for a test's server. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres {
  /** To be read again after restart(): the port changes when the old one was taken meanwhile. */
  readonly url: string;
  /** Whether a killed service had left the server running. */
  readonly adopted: boolean;
  /** Ends the server for good, also an adopted one, within 15 seconds. */
  stop(): Promise<void>;
  /** Starts a server that died again, and does nothing while it runs. Rejects after stop(). */
  restart(): Promise<void>;
}

/**
 * Provides a real PostgreSQL for this service alone (contract §9, DATABASE_URL unset): creates the cluster when there is
 * none, adopts the server that a killed service left running or starts one, and resolves when it accepts connections.
 * The server listens only on a socket in its folder (postgres-process.ts).
 * @throws {Error} whose message says what the operator can do
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const home = await openHome(options.dataDir);
  const credentials = await openCluster(home, options.log);
  const postgres = new RunningPostgres(home, credentials, options);
  await postgres.start();
  return postgres;
}

async function openCluster(home: PostgresHome, log: (line: string) => void): Promise<PostgresCredentials> {
  const known = await readCredentials(home.dataDir);
  if (await clusterExists(home.clusterDir)) {
    if (known) return known;
    throw new StartError(
      `DATA_DIR (${home.dataDir}) holds a database but no postgres-credentials.json`,
      'put the file back from a copy of the folder, or set DATA_DIR to another folder and restore a backup into it',
      EXIT_CONFIG,
    );
  }
  log('Creating a new PostgreSQL database in the data folder');
  const credentials = known ?? (await createCredentials(home.dataDir));
  await createCluster(home, credentials);
  return credentials;
}

/** The database that this process uses, with the lock on its data folder. */
export interface DatabaseServer {
  readonly url: string;
  stop(): Promise<void>;
}

interface DatabaseServerOptions {
  dataDir: string;
  /** null: the embedded one. */
  databaseUrl: string | null;
  log: (line: string) => void;
  /** Takes what an operator should look at, such as the end of the embedded database. */
  warn: (line: string) => void;
}

const RESTART_PAUSE_MS = 500;

/**
 * Locks the data folder for this process and opens the database: the one that `DATABASE_URL` names, which several
 * services may share, or an embedded one, which is restarted whenever it dies (contract §8).
 */
export async function openDatabaseServer(options: DatabaseServerOptions): Promise<DatabaseServer> {
  if (options.databaseUrl !== null) return { url: options.databaseUrl, stop: async () => undefined };
  const lock = await lockDataDir(options.dataDir);
  try {
    return await embedded(options, lock);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function embedded(
  { dataDir, log, warn }: DatabaseServerOptions,
  lock: DataDirLock,
): Promise<DatabaseServer> {
  let stopping = false;
  const onExit = (reason: string): void => {
    if (stopping) return;
    warn(`The embedded database ended (${reason}). It is restarted.`);
    setTimeout(() => void server.restart().catch((error: Error) => onExit(error.message)), RESTART_PAUSE_MS);
  };
  const server = await startEmbeddedPostgres({ dataDir, log, onExit });
  return {
    get url() {
      return server.url;
    },
    async stop() {
      stopping = true;
      await server.stop();
      await lock.release();
    },
  };
}

/**
 * Returns a free port of 127.0.0.1 below 32768, where the ports of outgoing connections begin: no connection takes it
 * while the server is down, and a restarted server keeps its address.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

interface ReachedServer {
  server: ServerProcess;
  /** Whether it was running already, left by a killed service. */
  adopted: boolean;
}

type ReachOptions = Omit<SpawnOptions, 'port'> & { preferredPort?: number };

const patienceMs = 60_000;

/** Adopts the cluster's running server, or starts one. The caller holds the lock of the data folder. */
async function reachServer(home: PostgresHome, options: ReachOptions): Promise<ReachedServer> {
  const deadline = performance.now() + patienceMs;
  let port = options.preferredPort ?? (await freePort());
  for (;;) {
    const running = await findRunningServer(home.clusterDir, options.signal);
    if (running) return { server: running, adopted: true };
    await prepareCluster(home);
    await disarmPostmasterPid(home.clusterDir);
    await removeOldSockets(home.clusterDir);
    try {
      return { server: await spawnServer(home, { ...options, port }), adopted: false };
    } catch (error) {
      if (!(error instanceof ServerDidNotStart) || !(error.portTaken || error.clusterBusy)) throw error;
      if (performance.now() > deadline) throw error;
      if (error.portTaken) port = await freePort();
    }
    await sleep(100);
  }
}

/** Waits for a server that is starting or stopping; returns null when the pid file names no live server of this cluster. */
async function findRunningServer(clusterDir: string, signal: AbortSignal): Promise<ServerProcess | null> {
  for (;;) {
    const file = await readPostmasterPid(clusterDir);
    const start = file && (await startOf(file.pid));
    if (!file || !start || !(await servesCluster(file.pid, clusterDir))) return null;
    if (file.ready) return watchForeignServer(file, start);
    signal.throwIfAborted();
    await sleep(50);
  }
}

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
