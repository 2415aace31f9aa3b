import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app.setup.js';
import { endOnSignals } from './app.shutdown.js';
import { summaryOf, warningsOf } from './app.summary.js';
import { CatalogError } from './mcp/catalog/catalog.errors.js';
import { PROCESS_SETTINGS } from './mcp/installed-servers/running/process-settings.js';
import type { SupervisorSettings } from './mcp/processes/supervision/supervisor-settings.js';
import { BootstrapOwnerService, type NewOwner } from './platform/auth/bootstrap-owner.service.js';
import { loadSettings, SettingsError } from './platform/config/load-settings.js';
import type { Settings } from './platform/config/settings.js';
import { openDatabaseServer, type DatabaseServer } from './platform/database/database-server.js';
import { migrate } from './platform/database/migrate.js';
import { Encryption } from './platform/encryption/encryption.service.js';
import { KEY_CHECK_STORE, type KeyCheckStore } from './platform/encryption/key-proof.js';
import { KeyRingError } from './platform/encryption/key-ring.errors.js';
import { PublicAddress } from './platform/http/headers/service-origins.js';
import { prepareDataFolder } from './platform/start/data-folder.js';
import { probeDatabase, type ProbedDatabase } from './platform/start/database-probe.js';
import { closeInheritedDescriptors } from './platform/start/inherited-descriptors.js';
import { hostAndPort, listenError, probeAddress } from './platform/start/listen-address.js';
import { recordListening } from './platform/start/listening-record.js';
import { EXIT_CONFIG, EXIT_RETRY, StartError } from './platform/start/start-error.js';

/** How long a failed start waits for what it has begun to end. */
const CLOSE_MS = 3_000;
/** An address that stands for every address of the host is not one that a client can connect to. */
const EVERY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** What a start has opened so far. */
interface Opened {
  settings: Settings | null;
  database: DatabaseServer | null;
  app: NestExpressApplication | null;
}

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Runs the service in this process until a signal ends it. Ends the process when the service cannot start. */
export async function runService(): Promise<void> {
  closeInheritedDescriptors();
  surviveLostOutput();
  const opened = nothingOpened();
  try {
    await openService(endOnSignals, opened);
  } catch (error) {
    endWith(error, opened.settings);
  }
}

/**
 * Opens the service: reads settings, opens the database, migrates, unlocks the key ring, creates the Owner, listens.
 * Returns its address. After an error, what it opened is closed again.
 * @param created is called before the application starts, and can shut it down from then on
 */
export async function openService(
  created: (app: NestExpressApplication, database: DatabaseServer) => void,
  opened: Opened = nothingOpened(),
): Promise<string> {
  try {
    return await open(created, opened);
  } catch (error) {
    await close(opened);
    throw error;
  }
}

const nothingOpened = (): Opened => ({ settings: null, database: null, app: null });

async function open(
  created: (app: NestExpressApplication, database: DatabaseServer) => void,
  opened: Opened,
): Promise<string> {
  const settings = (opened.settings = loadSettings());
  await prepareDataFolder(settings);
  await probeAddress(settings);
  const probed = settings.databaseUrl === null ? null : await probeDatabase(settings.databaseUrl);
  const database = (opened.database = await openDatabase(settings));
  await migrate(database.url);
  const app = (opened.app = await createApp(settings, database.url));
  created(app, database);
  return start(app, settings, probed);
}

/** Ignores errors of the output: without a listener Node ends a process whose disk is full or whose reader is gone. */
function surviveLostOutput(): void {
  // An error of the output cannot be reported anywhere: the output is the log.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Reduces an error to its sentence: the operator can fix what goes wrong here, and a stack would not help. */
async function openDatabase(settings: Settings): Promise<DatabaseServer> {
  try {
    return await openDatabaseServer({ ...settings, log: print });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new StartError(problem.replace(/\.$/, ''), '`npm run doctor` checks the installation', EXIT_RETRY);
  }
}

async function start(
  app: NestExpressApplication,
  settings: Settings,
  database: ProbedDatabase | null,
): Promise<string> {
  await app.init();
  await app.get(Encryption).unlock(app.get<KeyCheckStore>(KEY_CHECK_STORE, { strict: false }));
  const owner = await app.get(BootstrapOwnerService).makeIfNone();
  const address = await listen(app, settings);
  const { sandbox } = app.get<SupervisorSettings>(PROCESS_SETTINGS, { strict: false });
  for (const warning of warningsOf(settings, sandbox)) new Logger('Settings').warn(warning);
  for (const line of summaryOf(settings, { database, sandbox, address })) print(line);
  if (owner) printOwner(owner);
  return address;
}

/** Returns the address under which clients reach the service. */
async function listen(app: NestExpressApplication, settings: Settings): Promise<string> {
  try {
    await app.listen(settings.port, settings.host);
  } catch (error) {
    throw listenError(settings, error);
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  await record(settings, port);
  const reachable = { host: EVERY_ADDRESS[settings.host] ?? settings.host, port };
  const address = settings.publicUrl ?? `${settings.tls ? 'https' : 'http'}://${hostAndPort(reachable)}`;
  app.get(PublicAddress).url = address;
  return address;
}

/** A full disk must not end a service that works: only `npm run doctor` reads the record. */
async function record({ dataDir, host }: Settings, port: number): Promise<void> {
  try {
    await recordListening(dataDir, host, port);
  } catch (error) {
    new Logger('Start').warn(`The address could not be recorded in ${dataDir}: ${String(error)}`);
  }
}

/** Prints the first Owner on the terminal, once and never into the log. */
function printOwner({ email, password, apiKey }: NewOwner): void {
  print(`\nThis is the first start. The Owner is ${email}; this is shown once:`);
  print(password ? `  password: ${password}` : '  password: as set in BOOTSTRAP_OWNER_PASSWORD');
  print(apiKey ? `  API key:  ${apiKey}` : '  API key:  as set in BOOTSTRAP_OWNER_API_KEY');
}

/** Ends the application before its database, so that background work does not report the end of the database. */
async function close({ app, database }: Opened): Promise<void> {
  // The error of the start is the one to report, so a second one does not matter.
  const closing = app?.close().catch(() => undefined);
  await Promise.race([closing, sleep(CLOSE_MS, undefined, { ref: false })]);
  await database?.stop();
}

function endWith(error: unknown, settings: Settings | null): never {
  for (const warning of settings?.warnings ?? []) process.stderr.write(`Warning: ${warning}\n`);
  const [text, exitCode] = verdictOn(error);
  process.stderr.write(`The service did not start. ${text}\n`);
  process.exit(exitCode);
}

function verdictOn(error: unknown): [text: string, exitCode: number] {
  if (error instanceof StartError) return [error.message, error.exitCode];
  if (error instanceof SettingsError || error instanceof KeyRingError || error instanceof CatalogError)
    return [error.message, EXIT_CONFIG];
  return [inspect(error), EXIT_RETRY];
}
