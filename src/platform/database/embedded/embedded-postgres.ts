import { clusterExists, createCluster } from './postgres-cluster.js';
import { createCredentials, readCredentials, type PostgresCredentials } from './postgres-credentials.js';
import { openHome, type PostgresHome } from './postgres-home.js';
import { RunningPostgres } from './running-postgres.js';

export interface EmbeddedPostgresOptions {
  /** The cluster lives in `<dataDir>/postgres`. Hold `lockDataDir` before you start: nothing here refuses a second one. */
  dataDir: string;
  log: (line: string) => void;
  /** Called when the server dies without stop(); `restart()` may be called from it. */
  onExit: (reason: string) => void;
  /** PostgreSQL settings over the shipped ones, such as `fsync: 'off'` for a test's server. */
  settings?: Record<string, string>;
}

export interface EmbeddedPostgres {
  /** Read it anew after restart(): it names another port when the old one was taken meanwhile. */
  readonly url: string;
  /** A service that was killed had left the server running. */
  readonly adopted: boolean;
  /** Ends the server for good, an adopted one too; at most 15 seconds. */
  stop(): Promise<void>;
  /** Starts the server again when it died, and does nothing while it runs. Rejects after stop(). */
  restart(): Promise<void>;
}

/**
 * A real PostgreSQL of the service's own (spec §9, DATABASE_URL unset): makes the cluster when there is none,
 * adopts the server that a killed service has left, or starts one, and resolves when it takes connections. It
 * listens on a socket in its folder only (listening.ts). Rejects with an Error that tells the operator what to do.
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
  log('Making a new PostgreSQL database in the data folder');
  const credentials = known ?? (await createCredentials(home.dataDir));
  await createCluster(home, credentials);
  return credentials;
}
