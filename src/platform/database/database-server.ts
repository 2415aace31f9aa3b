import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { lockDataDir, type DataDirLock } from '../embedded-postgres/data-dir-lock.js';

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
