import { EXIT_CONFIG, StartError } from '../exit/exit-codes.js';
import { type DataDirLock, lockDataDir } from './data-dir-lock.js';
import {
  clusterExists,
  createCluster,
  createCredentials,
  type PostgresCredentials,
  readCredentials,
} from './postgres-cluster.js';
import { openHome, type PostgresHome } from './postgres-home.js';
import { RunningPostgres } from './running-postgres.js';

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
 * The server listens only on a socket in its folder (listening.ts).
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
