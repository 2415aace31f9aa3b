// Runs the migrations that the database of DATABASE_URL lacks, and ends. A start of the service does the same; this is for a
// step before it, such as the Job of the Helm chart.
import { existsSync } from 'node:fs';
import process from 'node:process';
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';
import { FOR_START } from './install.mjs';
import { printVisibly } from './visible-output.mjs';

/** Missing in an image, which ships only the built service. */
const SOURCES = new URL('../src', import.meta.url);

process.exitCode = await main();

async function main() {
  if (existsSync(SOURCES)) {
    await ensureInstalled(FOR_START);
    await ensureBuilt();
  }
  await printVisibly();
  const { checkDatabaseFiles } = await import('../dist/src/platform/config/tls-files.js');
  const { loadSettings } = await import('../dist/src/platform/config/load-settings.js');
  const { EXIT_CONFIG, EXIT_RETRY, ExitError } = await import('../dist/src/platform/exit/exit-codes.js');
  const { probeDatabases } = await import('../dist/src/platform/start/database-probe.js');
  const { directUrl } = await import('../dist/src/platform/database/service.client.js');
  const { migrate } = await import('../dist/src/platform/database/migrate.js');
  try {
    const settings = loadSettings();
    if (!settings.databaseUrl)
      throw new ExitError('Set DATABASE_URL: the embedded database is migrated by the start.', EXIT_CONFIG);
    checkDatabaseFiles(settings);
    await probeDatabases(settings);
    await migrate(settings.databaseDirectUrl, { presentUrl: directUrl(settings) });
    console.log('The database has all migrations of this version.');
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return error instanceof ExitError ? error.exitCode : EXIT_RETRY;
  }
}
