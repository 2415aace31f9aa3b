// Runs the migrations that the database of DATABASE_URL lacks, and ends. A start of the service does the same; this is for a
// step before it, such as the Job of the Helm chart.
import process from 'node:process';
import { isatty } from 'node:tty';
import { prepareCheckout } from './checkout.mjs';
import { takeSettingsFile } from './settings-file.mjs';
import { printVisibly } from './visible-output.mjs';

takeSettingsFile();
process.exitCode = await main();

async function main() {
  await prepareCheckout();
  await printVisibly();
  const { loadSettings, logFormatOf } = await import('../dist/src/platform/config/load-settings.js');
  const { EXIT_RETRY, ExitError } = await import('../dist/src/platform/exit/exit-codes.js');
  const { StartLog } = await import('../dist/src/platform/logging/json-logger-and-start-log.js');
  let settings = null;
  try {
    settings = loadSettings();
    await run(settings, new StartLog({ format: formatOf(settings.logFormat), level: settings.logLevel }));
    return 0;
  } catch (error) {
    const known = (settings && (await lostDuring(error, settings))) ?? error;
    const text = known instanceof Error ? known.message : String(known);
    const exitCode = known instanceof ExitError ? known.exitCode : EXIT_RETRY;
    const log = new StartLog({ format: formatOf(logFormatOf()), level: 'info' });
    log.failed(settings?.secrets.named(text) ?? text, exitCode, [], 'The database was not migrated.');
    return exitCode;
  }
}

/** Describes the loss of the database, which is reached past a pooler where there is one; null for another error. */
async function lostDuring(error, { databaseDirectUrl: databaseUrl, dataDir, isDatabasePooled }) {
  const { lostDatabase, ofDirectUrl } = await import('../dist/src/platform/start/connection-refusals.js');
  const lost = lostDatabase(error, { databaseUrl, dataDir });
  return isDatabasePooled ? ofDirectUrl(lost) : lost;
}

/** A Job writes what the service writes; people at a terminal read text. */
function formatOf(format) {
  return isatty(1) ? 'text' : format;
}

async function run(settings, log) {
  const { checkDatabaseFiles } = await import('../dist/src/platform/config/database-tls.js');
  const { EXIT_CONFIG, ExitError } = await import('../dist/src/platform/exit/exit-codes.js');
  const { probeDatabases } = await import('../dist/src/platform/start/pooler-standby-and-version-checks.js');
  const { directUrl } = await import('../dist/src/platform/database/service.client.js');
  const { migrate, migrationLog } = await import('../dist/src/platform/database/migrate.js');
  if (!settings.databaseUrl)
    throw new ExitError('Set DATABASE_URL: the embedded database is migrated by the start.', EXIT_CONFIG);
  checkDatabaseFiles(settings);
  await probeDatabases(settings);
  const options = { presentUrl: directUrl(settings), report: migrationLog(log.logger) };
  await migrate(settings.databaseDirectUrl, options);
  log.summary('The database has all migrations of this version.');
}
