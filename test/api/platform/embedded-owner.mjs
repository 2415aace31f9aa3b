// A service that owns a data folder and is to be killed: locks it, and starts its PostgreSQL with the argument `server`.
import { lockDataDir } from '../../../dist/src/platform/embedded-postgres/data-dir-lock-and-process-identity.js';
import { startEmbeddedPostgres } from '../../../dist/src/platform/embedded-postgres/embedded-postgres.js';

const [dataDir, what] = process.argv.slice(2);
const tell = (message) => console.log(JSON.stringify(message));
try {
  await lockDataDir(dataDir);
  if (what === 'server') {
    const options = { dataDir, settings: { fsync: 'off' }, log: () => undefined, onExit: () => undefined };
    tell({ url: (await startEmbeddedPostgres(options)).url });
  } else {
    tell({ locked: true });
  }
  process.stdin.resume();
} catch (error) {
  tell({ refused: error.message });
}
