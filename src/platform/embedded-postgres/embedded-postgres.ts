import { clusterExists, createCluster } from './postgres-cluster.js';
import { createCredentials, readCredentials, type PostgresCredentials } from './postgres-credentials.js';
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
    throw new Error(
      `${home.dataDir} holds a database but no postgres-credentials.json: put the file back from a backup, or choose another DATA_DIR.`,
    );
  }
  log('Creating a new PostgreSQL database in the data folder');
  const credentials = known ?? (await createCredentials(home.dataDir));
  await createCluster(home, credentials);
  return credentials;
}
