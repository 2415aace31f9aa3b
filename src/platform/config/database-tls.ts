import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { z } from 'zod';
import { isLoopback, readNamedFile, SettingsError } from './setting-rules.js';

/** The settings that name a database, and the parameters of their URLs that name a file in PEM format. */
const DATABASE_URLS = ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const;
const CERTIFICATE_FILES = ['sslrootcert', 'sslcert', 'sslkey'] as const;

const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** node-postgres 8 treats them as verify-full; its next major version will check less (contract §9.4). */
const AS_VERIFY_FULL = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=[&#]|$)/;

type Parameters = Record<string, string | undefined>;
type UrlValues = Partial<Record<(typeof DATABASE_URLS)[number], string | undefined>>;

/** Stands for the host that a URL leaves out, which is valid for PostgreSQL only. */
const NO_HOST = 'no-host.invalid';

/** Returns the URL of a database in parts, or null for a text that is no URL, which another rule refuses. */
function partsOf(url: string): URL | null {
  const whole = url.replace(/@\//, `@${NO_HOST}/`);
  return URL.canParse(whole) ? new URL(whole) : null;
}

/** Returns the parameters of the URL of a database; of one that comes twice, the last counts, as for node-postgres. */
export function parametersOf(url: string): Parameters {
  return Object.fromEntries(partsOf(url)?.searchParams ?? []);
}

/** Refuses parameters of TLS that node-postgres ignores or takes for something else (contract §9.4). */
export function refuseUnknownTls(url: string, context: z.RefinementCtx): void {
  const message = problemOf(parametersOf(url));
  if (message) context.addIssue({ code: 'custom', message });
}

/** Returns what is wrong, without a value of the URL. */
function problemOf({
  ssl,
  sslmode,
  sslcert,
  sslkey,
  sslrootcert,
  uselibpqcompat,
}: Parameters): string | null {
  if (sslmode !== undefined && !MODES.includes(sslmode))
    return `its sslmode must be one of ${MODES.join(', ')}`;
  if (ssl !== undefined && !['true', '1', '0', 'no-verify'].includes(ssl))
    return 'its parameter ssl must be true, 1, 0 or no-verify; better write sslmode';
  if ((sslcert === undefined) !== (sslkey === undefined))
    return 'its sslcert and sslkey need each other: name both files, or none of them';
  if (uselibpqcompat !== 'true') return null;
  if (sslmode === 'no-verify')
    return 'its sslmode=no-verify has no meaning with uselibpqcompat=true; write require';
  if (sslmode === 'verify-ca' && sslrootcert === undefined)
    return 'its sslmode=verify-ca needs sslrootcert with uselibpqcompat=true; write verify-full, or name the file';
  return null;
}

/** Returns the URL with the mode that the service really uses, whichever version of node-postgres reads it. */
export function withStableTls(url: string): string {
  return parametersOf(url)['uselibpqcompat'] === 'true' ? url : url.replace(AS_VERIFY_FULL, '$1verify-full');
}

/**
 * Returns one sentence per URL that leads to another host without TLS although it has a password (contract §9.4).
 * @param environment holds what node-postgres reads where the URL says nothing: PGHOST, PGSSLMODE, PGPASSWORD, PGPASSFILE
 */
export function databaseWarnings(values: UrlValues, environment: Parameters): string[] {
  return DATABASE_URLS.flatMap((name) => {
    const url = values[name];
    if (!url || !sendsInTheOpen(url, environment)) return [];
    return [
      `${name} leads to another host without TLS, so its password and all data travel unencrypted. Add sslmode=verify-full to it, and sslrootcert=FILE where the certificate is of an authority of your own.`,
    ];
  });
}

function sendsInTheOpen(url: string, environment: Parameters): boolean {
  const parts = partsOf(url);
  if (!parts) return false;
  const parameters = parametersOf(url);
  const named = parts.hostname === NO_HOST ? '' : parts.hostname;
  const host = parameters['host'] || named || environment['PGHOST'] || 'localhost';
  if (isHere(host) || isEncrypted(parameters, environment)) return false;
  return Boolean(parts.password || parameters['password']) || Object.keys(environment).some(namesPassword);
}

/** Whether only this host sees what is sent: a socket, whose folder begins with a slash, or an address of loopback. */
function isHere(host: string): boolean {
  return /^(\/|%2f)/i.test(host) || isLoopback(host.replace(/^\[|\]$/g, ''));
}

/** Such as PGPASSWORD, PGPASSFILE, or a setting of the service that names the file of the password. */
const namesPassword = (name: string): boolean => /^(PG|DATABASE_)\w*PASS/.test(name);

/** Whether node-postgres asks for TLS. It never falls back to plain TCP. */
function isEncrypted(parameters: Parameters, environment: Parameters): boolean {
  const { ssl, sslmode, sslnegotiation } = parameters;
  if (sslmode !== undefined) return sslmode !== 'disable';
  if (CERTIFICATE_FILES.some((name) => parameters[name] !== undefined)) return true;
  if (ssl !== undefined) return ssl !== '0';
  const mode = environment['PGSSLMODE'] ?? 'disable';
  return sslnegotiation === 'direct' || (MODES.includes(mode) && mode !== 'disable');
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g;

/**
 * Reads the files that the URLs of the database name for TLS (contract §9.4), so that a wrong one ends the start with its
 * cause. OpenSSL ignores what is no certificate, and node-postgres would report a file that is missing without the setting.
 * @throws {SettingsError} that names the setting and the parameter, when a file cannot be read, holds no certificate in PEM
 *   format, or `sslkey` is not the private key of `sslcert`
 */
export function checkDatabaseFiles({
  databaseUrl,
  databaseDirectUrl,
}: Record<'databaseUrl' | 'databaseDirectUrl', string | null>): void {
  const urls = [databaseUrl, databaseDirectUrl === databaseUrl ? null : databaseDirectUrl];
  for (const [at, name] of DATABASE_URLS.entries()) check(name, parametersOf(urls[at] ?? ''));
}

function check(name: string, parameters: ReturnType<typeof parametersOf>): void {
  const [root, cert, key] = CERTIFICATE_FILES.map((parameter) => {
    const file = parameters[parameter];
    return file === undefined ? null : readNamedFile(`${name}: the file of its ${parameter}`, file);
  });
  if (root) refuseOther(`${name}: the file of its sslrootcert`, root);
  if (!cert || !key) return;
  refuseOther(`${name}: the file of its sslcert`, cert);
  try {
    createSecureContext({ cert, key });
  } catch {
    // OpenSSL's own message is left out, because it may quote the file.
    throw new SettingsError(
      `${name}: the file of its sslkey is not the private key of its sslcert in PEM format without a passphrase. Name two files that belong together.`,
    );
  }
}

function refuseOther(what: string, contents: Buffer): void {
  const certificates = contents.toString('latin1').match(CERTIFICATE) ?? [];
  if (certificates.length > 0 && certificates.every(isCertificate)) return;
  throw new SettingsError(
    `${what} is not a certificate in PEM format. Name a file with one or more of them.`,
  );
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== null;
  } catch {
    // The caller says what is wrong with the file.
    return false;
  }
}
