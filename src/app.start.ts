import type { AddressInfo } from 'node:net';
import { Logger, type LoggerService } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app.setup.js';
import { summaryOf, warningsOf } from './app.summary.js';
import type { SupervisorSettings } from './mcp/processes/supervision/supervisor-settings.js';
import { PROCESS_SETTINGS } from './mcp/server-processes/supervisor-sandbox-and-sweep.provider.js';
import { AnnouncementWorker } from './mcp/tools-endpoint/tools-endpoint-and-announcement.worker.js';
import type { Settings } from './platform/config/settings.js';
import { migrate, migrationLog } from './platform/database/migrate.js';
import { directUrl } from './platform/database/service.client.js';
import { Encryption } from './platform/encryption/encryption.service.js';
import {
  KEY_CHECK_STORE,
  type KeyCheckStore,
} from './platform/encryption/key-proof-rotation-and-first-ring.js';
import { ReadinessService } from './platform/health/health.controller.js';
import { PublicAddress } from './platform/http/origins-and-redirects.js';
import { HealthEndpoint } from './platform/processes/health-endpoint.js';
import { isFirst } from './platform/config/process-roles-and-plan.js';
import type { StartLog } from './platform/logging/json-logger-and-start-log.js';
import { clockWarning } from './platform/start/data-folder-clock-and-descriptor-checks.js';
import type { ProbedDatabase } from './platform/start/pooler-standby-and-version-checks.js';
import { hostAndPort, listenError, recordListening } from './platform/start/listen-address.js';
import { startTracing } from './platform/tracing/open-telemetry.js';
import { BootstrapOwnerService } from './platform/users/bootstrap-owner.service.js';

// The build makes one file of this module and all that it imports, so what follows the start is reached through it.
export { attachProcess, shutDown } from './app.shutdown.js';

/** An address that stands for every address of the host is not one that a client can connect to. */
const EVERY_ADDRESS: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** An application that does not listen yet, and the migrations, which may still run. */
interface Created {
  app: NestExpressApplication;
  migrated: Promise<void>;
}

/**
 * Creates the application while the database is migrated: that takes a second of a processor and reads no table. Of the processes of a
 * start one migrates, and the others wait for it in `startApplication`.
 */
export async function createApplication(
  settings: Settings,
  databaseUrl: string,
  { logger }: StartLog,
): Promise<Created> {
  // Until the application has its own: nothing may be written in the form of the framework.
  Logger.overrideLogger(logger);
  await startTracing(settings.tracing);
  const migrated = migrateOnce(settings, databaseUrl, logger);
  // It may fail before anybody waits for it.
  migrated.catch(() => undefined);
  try {
    return { app: await createApp(settings, databaseUrl), migrated };
  } catch (error) {
    // Why the database cannot be used says more than what comes of it.
    await migrated;
    throw error;
  }
}

async function migrateOnce(settings: Settings, databaseUrl: string, logger: LoggerService): Promise<void> {
  const { parent } = settings;
  if (parent && !isFirst(parent.part)) return;
  const options = { presentUrl: directUrl(settings), report: migrationLog(logger) };
  await migrate(settings.databaseDirectUrl ?? databaseUrl, options);
}

/**
 * Unlocks the key ring, creates the Owner and listens. The further processes of a start wait until the first one has migrated the database and
 * made both. Returns the address.
 */
export async function startApplication(
  app: NestExpressApplication,
  settings: Settings,
  database: ProbedDatabase | null,
  log: StartLog,
): Promise<string> {
  await settings.parent?.go();
  await app.init();
  await app.get(Encryption).unlock(app.get<KeyCheckStore>(KEY_CHECK_STORE, { strict: false }));
  const owner = settings.duties.requests ? await app.get(BootstrapOwnerService).makeIfNone() : null;
  const { parent } = settings;
  parent?.send({ awp: 'prepared' });
  // The process beside those that answer requests has an internal endpoint only.
  const address = parent?.part.kind === 'host' ? '' : await listen(app, settings);
  if (settings.healthPort !== null && !parent)
    await new HealthEndpoint(() => app.get(ReadinessService).report()).listen(
      settings.host,
      settings.healthPort,
    );
  const isTools = settings.role === 'tools';
  const toolsHost = isTools ? await app.get(AnnouncementWorker, { strict: false }).begin() : null;
  const { sandbox } = app.get<SupervisorSettings>(PROCESS_SETTINGS, { strict: false });
  if (parent) {
    const port = address === '' ? 0 : portOf(app);
    parent.send({ awp: 'ready', address, port, sandbox, owner });
    return address;
  }
  for (const warning of warningsOf(settings, sandbox)) new Logger('Settings').warn(warning);
  await warnOfClock(app);
  for (const line of summaryOf(settings, { database, sandbox, address, toolsHost })) log.summary(line);
  if (owner) log.owner(owner);
  return address;
}

/** Returns the address under which clients reach the service. */
async function listen(app: NestExpressApplication, settings: Settings): Promise<string> {
  try {
    await app.listen(settings.port, settings.host);
  } catch (error) {
    throw listenError(settings, error);
  }
  const port = portOf(app);
  // The supervisor is the process that people know.
  if (!settings.parent) await record(settings, port);
  const reachable = { host: EVERY_ADDRESS[settings.host] ?? settings.host, port };
  const address = settings.publicUrl ?? `${settings.tls ? 'https' : 'http'}://${hostAndPort(reachable)}`;
  app.get(PublicAddress).url = address;
  return address;
}

function portOf(app: NestExpressApplication): number {
  return (app.getHttpServer().address() as AddressInfo).port;
}

/** A full disk must not end a service that works: only `npm run doctor` reads the record. */
async function record({ dataDir, host }: Settings, port: number): Promise<void> {
  try {
    await recordListening(dataDir, host, port);
  } catch (error) {
    new Logger('Start').warn(`The address could not be recorded in ${dataDir}: ${String(error)}`);
  }
}

/** The service works with a wrong clock, and without the answer if the database went away at this moment. */
async function warnOfClock(app: NestExpressApplication): Promise<void> {
  const logger = new Logger('Clock');
  try {
    const warning = await clockWarning(app.get(DataSource, { strict: false }));
    if (warning) logger.warn(warning);
  } catch (error) {
    logger.warn(`The clock could not be compared with that of the database: ${String(error)}`);
  }
}
