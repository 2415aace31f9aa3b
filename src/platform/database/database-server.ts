import { startEmbeddedPostgres } from './embedded/embedded-postgres.js';
import { lockDataDir, type DataDirLock } from './embedded/data-dir-lock.js';

/** The database that this process uses, and what holds it. */
export interface DatabaseServer {
  readonly url: string;
  stop(): Promise<void>;
}

interface DatabaseServerOptions {
  dataDir: string;
  /** null: the embedded one. */
  databaseUrl: string | null;
  log: (line: string) => void;
}

const RESTART_PAUSE_MS = 500;

/**
 * Opens the data folder for this process alone, and the database: the one that `DATABASE_URL` names, which
 * several services share, or an embedded one of its own, which is started again whenever it dies (spec §8).
 */
export async function openDatabaseServer(options: DatabaseServerOptions): Promise<DatabaseServer> {
  if (options.databaseUrl !== null) return { url: options.databaseUrl, stop: async () => undefined };
  const lock = await lockDataDir(options.dataDir);
  try {
    return await embedded(options, lock);
  } catch (fault) {
    await lock.release();
    throw fault;
  }
}

async function embedded({ dataDir, log }: DatabaseServerOptions, lock: DataDirLock): Promise<DatabaseServer> {
  let stopping = false;
  const onExit = (reason: string): void => {
    if (stopping) return;
    log(`The embedded database ended (${reason}); starting it again`);
    setTimeout(() => void server.restart().catch((fault: Error) => onExit(fault.message)), RESTART_PAUSE_MS);
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
