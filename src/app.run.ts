import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { checkDatabaseFiles } from './platform/config/database-tls.js';
import { readTlsFiles } from './platform/config/tls-files-and-renewal.js';
import { loadSettings, logFormatOf } from './platform/config/load-settings.js';
import type { Settings } from './platform/config/settings.js';
import { type DatabaseServer, openDatabaseServer } from './platform/embedded-postgres/embedded-postgres.js';
import { isPartOfStart, type ParentChannel, openParentChannel } from './platform/config/parent-channel.js';
import { PartFailed } from './platform/processes/process-supervisor.js';
import { partsFor } from './platform/config/process-roles-and-plan.js';
import { loadKeyRing } from './platform/encryption/key-ring-sources.js';
import {
  ENDING_SIGNALS,
  EXIT_RETRY,
  type ExitCode,
  ExitError,
  StartError,
} from './platform/exit/exit-codes.js';
import { StartLog } from './platform/logging/json-logger-and-start-log.js';
import type { Opened } from './app.divided.js';
import { dataFolderLine } from './app.summary.js';
import { type ProbedDatabase, probeDatabases } from './platform/start/pooler-standby-and-version-checks.js';
import { lostDatabase } from './platform/start/connection-refusals.js';
import {
  closeInheritedDescriptors,
  prepareDataFolder,
} from './platform/start/data-folder-clock-and-descriptor-checks.js';
import { probeAddress } from './platform/start/listen-address.js';

/** How long a failed start waits for what it has begun to end. */
const CLOSE_MS = 3_000;
/** How long it waits for a database that is starting. */
const OPENING_MS = 30_000;

type Created = (app: NestExpressApplication, database: DatabaseServer) => void | Promise<void>;

/** Runs the service in this process until a signal ends it. Ends the process when the service cannot start. */
export async function runService(): Promise<void> {
  closeInheritedDescriptors();
  surviveLostOutput();
  // A start reads every file itself. `attachProcess` gives the signal its meaning.
  process.on('SIGHUP', () => undefined);
  const opened = nothingOpened();
  logWarningsOfNode(opened);
  const early = endEarlyAtSignals(opened);
  const end = (error: unknown) => {
    // A signal stops the database while the start still uses it, which is no failure of the start.
    if (!early.isEnding) endWith(error, opened);
  };
  // Until `attachProcess` has its own: Node would print the exception in a form of its own.
  process.on('uncaughtException', end);
  const attach: Created = async (app, database) => {
    await attachProcess(app, database);
    process.off('uncaughtException', end);
    early.forget();
  };
  try {
    await openService(attach, opened);
  } catch (error) {
    end(error);
  }
}

/**
 * Ends a start at a signal until `attachProcess` or the supervisor do that: the embedded database, which may still be starting, would
 * outlive this process. The processes of a supervisor are ended by it.
 */
function endEarlyAtSignals(opened: Opened): { isEnding: boolean; forget: () => void } {
  const end = () => {
    if (opened.primary || early.isEnding) return;
    early.isEnding = true;
    // What fails from here on fails because the database ends.
    opened.log.logger.silence();
    void close(opened).finally(() => process.exit(0));
  };
  const signals = isPartOfStart() ? [] : ENDING_SIGNALS;
  for (const signal of signals) process.on(signal, end);
  const early = {
    isEnding: false,
    forget: () => signals.forEach((signal) => void process.off(signal, end)),
  };
  return early;
}

/**
 * Opens the service: reads settings, opens the database, migrates, unlocks the key ring, creates the Owner, listens.
 * Returns its address. After an error, what it opened is closed again.
 * @param created is called before the application starts, and can shut it down from then on
 */
export async function openService(created: Created, opened: Opened = nothingOpened()): Promise<string> {
  try {
    return await open(created, opened);
  } catch (error) {
    await close(opened);
    throw error;
  }
}

const nothingOpened = (): Opened => ({
  log: new StartLog({ format: logFormatOf(), level: 'info' }),
  settings: null,
  opening: null,
  app: null,
  primary: null,
});

/**
 * Loads the application, 2,000 modules, after the checks, so that a start which fails them ends at once, and while the
 * embedded database starts. With more than one process the others load it, and this one supervises them (contract §9.5).
 */
async function open(created: Created, opened: Opened): Promise<string> {
  const parent = openParentChannel();
  const settings = (opened.settings = loadSettings(undefined, parent));
  const log = (opened.log = new StartLog({
    format: settings.logFormat,
    level: settings.logLevel,
    process: parent?.part.name,
  }));
  if (!parent) log.summary(dataFolderLine(settings));
  // A folder that belongs to another user would be reported as a key ring that cannot be read.
  if (!parent) await prepareDataFolder(settings);
  checkFiles(settings);
  const probed = parent ? null : await examine(settings);
  const opening = parent ? databaseOf(parent, settings) : (opened.opening = openDatabase(settings, log));
  const parts = parent ? [] : partsFor(settings.apis, settings.role);
  if (parts.length > 0) {
    const { startDivided } = await import('./app.divided.js');
    return startDivided({ settings, log, probed, parts, opening }, opened);
  }
  const application = import('./app.start.js');
  const database = await opening;
  const { createApplication, startApplication } = await application;
  const { app, migrated } = await createApplication(settings, database.url, log);
  opened.app = app;
  await migrated;
  await created(app, database);
  return startApplication(app, settings, probed, log);
}

/** Checks what the processes of a start share: the address, and the database of DATABASE_URL. */
async function examine(settings: Settings): Promise<ProbedDatabase | null> {
  await probeAddress(settings);
  return probeDatabases(settings);
}

/**
 * The database of the settings, which this process may have read later than its supervisor; without one there the embedded database, as its
 * supervisor has opened it.
 */
async function databaseOf(parent: ParentChannel, { databaseUrl }: Settings): Promise<DatabaseServer> {
  const url = await parent.database();
  return { url: databaseUrl ?? url, stop: async () => undefined };
}

/**
 * Reads the files that settings name, so that a wrong one ends the start before the database opens. A key ring that is
 * missing is judged with the database.
 * @throws {ExitError} when one of them cannot be used
 */
function checkFiles(settings: Settings): void {
  const { tls, encryptionKeyringFile: file, encryptionKeys: keys } = settings;
  if (tls) readTlsFiles(tls);
  checkDatabaseFiles(settings);
  loadKeyRing({ file, keys });
}

async function attachProcess(app: NestExpressApplication, database: DatabaseServer): Promise<void> {
  const { attachProcess: attach } = await import('./app.start.js');
  attach(app, database);
}

/** Ignores errors of the output: without a listener Node ends a process whose disk is full or whose reader is gone. */
function surviveLostOutput(): void {
  // An error of the output cannot be reported anywhere: the output is the log.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Writes the warnings of Node and of libraries into the log: Node would print them in a form of its own. */
function logWarningsOfNode(opened: Opened): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => opened.log.logger.warn(`${name}: ${message}`, 'Node'));
}

/** Reduces an error to its sentence: the operator can fix what goes wrong here, and a stack would not help. */
async function openDatabase(settings: Settings, { logger }: StartLog): Promise<DatabaseServer> {
  const log = (line: string) => logger.log(line, 'Database');
  const warn = (line: string) => logger.warn(line, 'Database');
  try {
    return await openDatabaseServer({ ...settings, log, warn });
  } catch (error) {
    if (error instanceof ExitError) throw error;
    const problem = error instanceof Error ? error.message : String(error);
    throw new StartError(problem.replace(/\.$/, ''), '`npm run doctor` checks the installation', EXIT_RETRY);
  }
}

/** Ends the application before its database, so that background work does not report the end of the database. */
async function close({ app, opening, primary }: Opened): Promise<void> {
  primary?.kill();
  // The error of the start is the one to report, so a second one does not matter.
  const closing = app?.close().catch(() => undefined);
  await Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })]);
  // One that is still starting would outlive this process.
  const opened = opening?.catch(() => null);
  const database = await Promise.race([opened, sleep(OPENING_MS, null, { ref: false })]);
  await database?.stop();
}

function endWith(error: unknown, { settings, log }: Opened): never {
  // The process that failed has said why.
  if (error instanceof PartFailed) process.exit(error.exitCode);
  const [text, exitCode] = verdictOn((settings && lostDatabase(error, settings)) ?? error);
  // The settings cannot be read where they are what is wrong, but `.env` has been read by then.
  const its = settings ? log : new StartLog({ format: logFormatOf(), level: 'info' });
  its.failed(settings?.secrets.named(text) ?? text, exitCode, settings?.warnings ?? []);
  process.exit(exitCode);
}

function verdictOn(error: unknown): [text: string, exitCode: ExitCode] {
  return error instanceof ExitError ? [error.message, error.exitCode] : [inspect(error), EXIT_RETRY];
}
