import type { Server as HttpsServer } from 'node:https';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { CatalogService } from './mcp/catalog/catalog.service.js';
import {
  fileSettingOf,
  isUsedInOperation,
  SecretFileError,
  type SecretFiles,
} from './platform/config/secret-files.js';
import { Settings } from './platform/config/settings.js';
import { readTlsFiles, ServedCertificate } from './platform/config/tls-files-and-renewal.js';
import { DatabaseService } from './platform/database/database.service.js';
import { Encryption } from './platform/encryption/encryption.service.js';
import { MetricsService } from './platform/health/metrics.service.js';

const log = new Logger('Reload');

/**
 * Starts to follow the certificate, and returns what SIGHUP does: it reads again what can change in operation
 * (contract §8.6). From now on the log says what becomes of the files of secrets.
 */
export function reloading(app: NestExpressApplication): () => Promise<void> {
  const certificate = followCertificate(app);
  const { secrets } = app.get(Settings);
  const renewLogin = () => renewingLogin(app.get(DatabaseService, { strict: false }));
  secrets.reports = {
    changed: (setting) => {
      log.log(`${setting} has changed and is used from now on.`);
      if (OF_THE_DATABASE.has(setting)) void renewLogin();
    },
    failed: ({ setting, problem }) => log.warn(`${setting} stays as it was: ${problem}.`),
  };
  return async () => {
    // Before the key ring, which may be one of them.
    readSecrets(secrets);
    if (secrets.names.some((name) => OF_THE_DATABASE.has(fileSettingOf(name)))) await renewLogin();
    if (certificate) await attempt('TLS certificate', () => void certificate.renew());
    await attempt('key ring', () => app.get(Encryption, { strict: false }).reload());
    await attempt('catalogue', () => app.get(CatalogService, { strict: false }).reload());
  };
}

const OF_THE_DATABASE: ReadonlySet<string> = new Set([
  fileSettingOf('DATABASE_URL'),
  fileSettingOf('DATABASE_DIRECT_URL'),
]);

/** Connections of a login that works are kept where the new one does not. */
async function renewingLogin(database: DatabaseService): Promise<void> {
  try {
    await database.renewLogin();
  } catch (error) {
    log.warn(
      `The open connections to the database keep their login: the present one fails (${textOf(error)}).`,
    );
  }
}

/** One line per file, also for those that a running service does not need. */
function readSecrets(secrets: SecretFiles): void {
  for (const name of secrets.names) {
    const setting = fileSettingOf(name);
    if (!isUsedInOperation(name)) {
      log.log(`SIGHUP: ${setting} needs nothing: it is used by the first start only.`);
      continue;
    }
    try {
      const hasChanged = secrets.renew(name);
      log.log(`SIGHUP: ${setting} was read again and has ${hasChanged ? '' : 'not '}changed.`);
    } catch (error) {
      const problem = error instanceof SecretFileError ? error.problem : textOf(error);
      log.error(`SIGHUP: ${setting} stays as it was: ${problem}.`);
    }
  }
}

/** What cannot be read stays as it was, and does not keep the rest from being read. */
async function attempt(what: string, read: () => void | Promise<void>): Promise<void> {
  try {
    await read();
    log.log(`SIGHUP: the ${what} was read again.`);
  } catch (error) {
    log.error(`SIGHUP: the ${what} stays as it was: ${textOf(error)}`);
  }
}

/** Returns null where the service does not listen with TLS. */
function followCertificate(app: NestExpressApplication): ServedCertificate | null {
  const { tls } = app.get(Settings);
  if (!tls) return null;
  const read = () => readTlsFiles(tls);
  const certificate = new ServedCertificate(app.getHttpServer() as HttpsServer, read);
  certificate.begin({
    renewed: () => log.log('The TLS certificate was renewed.'),
    failed: (error) => log.error(`The TLS certificate stays as it was: ${textOf(error)}`),
  });
  app
    .get(MetricsService, { strict: false })
    .gauge(
      'awp_tls_certificate_expiry_timestamp_seconds',
      'When the certificate expires that is served.',
      [],
      (gauge) => gauge.set(certificate.expiresAt.getTime() / 1000),
    );
  return certificate;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
