import { connect } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import type { Settings } from '../config/settings.js';
import { SESSION, setRoleLimits } from '../database/data-source.js';
import { EXIT_CONFIG, EXIT_RETRY, StartError } from '../exit/exit-codes.js';

const PROBE_MS = 3_000;
/** The message SSLRequest: its length and the code 80877103. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

type Description = (client: Client, said: string) => [problem: string, remedy: string];

const unreachable: Description = ({ host, port }) => [
  `no PostgreSQL responds at ${host}:${port}`,
  'start that PostgreSQL, or correct host and port in DATABASE_URL',
];
const unresolved: Description = ({ host }) => [
  `the host name ${host} cannot be resolved`,
  'correct the host in DATABASE_URL, or check the name service of this host',
];
/** PgBouncer calls it a violation of the protocol, and others a feature that they do not support. */
const pooler: Description = ({ host, port }) => [
  `the server at ${host}:${port} rejects the settings of a connection, as PgBouncer does`,
  'set DATABASE_DIRECT_URL to the PostgreSQL behind the pooler; docs/scaling.md describes poolers',
];

/** Errors of the operating system, and states that PostgreSQL reports. */
const KNOWN: Record<string, Description> = {
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOENT: unreachable,
  EPIPE: unreachable,
  ETIMEDOUT: unreachable,
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
  '28P01': ({ host, port, user }) => [
    `PostgreSQL at ${host}:${port} rejects the password of user ${user}`,
    'correct user and password in DATABASE_URL, with special characters percent-encoded',
  ],
  28000: ({ host, port, user }, said) =>
    said.includes('no encryption')
      ? [
          `PostgreSQL at ${host}:${port} does not accept user ${user} without TLS`,
          'add sslmode=verify-full to DATABASE_URL, and sslrootcert=FILE where the certificate is of an authority of your own',
        ]
      : [
          `PostgreSQL at ${host}:${port} rejects user ${user}`,
          'correct the user in DATABASE_URL, or allow the connection in pg_hba.conf of the server',
        ],
  '08P01': pooler,
  '0A000': pooler,
  '3D000': ({ host, port, database }) => [
    `PostgreSQL at ${host}:${port} has no database ${database}`,
    'create it with CREATE DATABASE, or correct the name in DATABASE_URL',
  ],
};

/** What node-postgres says when the server refuses TLS; the error has no code. */
const NO_TLS = 'The server does not support SSL connections';
/** The certificate is of an authority that this host does not know, has expired, or is of another host. */
const UNTRUSTED = /^(ERR_TLS_CERT|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/;

/** Describes why the way to the database cannot be encrypted as DATABASE_URL says, or returns null (contract §9.4). */
function tlsError({ host, port }: Client, code: string, error: unknown): StartError | null {
  if (error instanceof Error && error.message === NO_TLS)
    return new StartError(
      `DATABASE_URL: PostgreSQL at ${host}:${port} offers no TLS`,
      'turn on ssl in that PostgreSQL, or set sslmode=disable in DATABASE_URL where the way to it is protected otherwise',
      EXIT_RETRY,
    );
  if (!UNTRUSTED.test(code)) return null;
  return new StartError(
    `DATABASE_URL: the certificate of PostgreSQL at ${host}:${port} is not trusted for this host name (${code})`,
    'name the certificate of its authority with sslrootcert in DATABASE_URL, and the host as the certificate does',
    EXIT_RETRY,
  );
}

/**
 * Describes why the database of DATABASE_URL did not accept a connection. A refusal may pass by itself, for instance
 * when another program creates the user and the database; a server that is not PostgreSQL never becomes one.
 */
export async function connectionError(client: Client, error: unknown): Promise<StartError> {
  const code = (error as { code?: string }).code ?? '';
  const known = KNOWN[code]?.(client, error instanceof Error ? error.message : '');
  if (known) return new StartError(`DATABASE_URL: ${known[0]} (${code})`, known[1], EXIT_RETRY);
  const ofTls = tlsError(client, code, error);
  return ofTls ?? (await otherServer(client, code)) ?? unexpectedRefusal(client, code, error);
}

function unexpectedRefusal(client: Client, code: string, error: unknown): StartError {
  return new StartError(
    `DATABASE_URL: PostgreSQL at ${client.host}:${client.port} does not accept the connection (${reasonOf(error, code, client)})`,
    'wait until it does, or correct DATABASE_URL; the log of PostgreSQL says more',
    EXIT_RETRY,
  );
}

function reasonOf(error: unknown, code: string, { password }: Client): string {
  const message = error instanceof Error ? error.message : String(error);
  const safe = password ? message.replaceAll(password, '…') : message;
  return [safe, code].filter(Boolean).join(', ');
}

/** Checks what listens there when the error is not one that PostgreSQL reported. */
async function otherServer({ host, port }: Client, code: string): Promise<StartError | null> {
  if (code !== '' || host.startsWith('/') || (await speaksPostgres(host, port)) !== false) return null;
  return new StartError(
    `DATABASE_URL: the server at ${host}:${port} is not PostgreSQL`,
    'set DATABASE_URL to the host and port of a PostgreSQL',
    EXIT_CONFIG,
  );
}

/**
 * Returns whether the server responds to SSLRequest with S, N or E, as every PostgreSQL does; null when it says nothing,
 * as a proxy without a server behind it.
 */
function speaksPostgres(host: string, port: number): Promise<boolean | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PROBE_MS });
    const end = (result: boolean | null) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => socket.write(SSL_REQUEST));
    // An HTTP server waits for the end of the line before it rejects the request.
    socket.once('timeout', () => (socket.bytesRead === 0 ? end(null) : end(false)));
    socket.once('data', ([first]: Buffer) => end('SNE'.includes(String.fromCharCode(first ?? 0))));
    socket.once('close', () => end(null));
    // The connection of node-postgres has reported why the server cannot be reached.
    socket.once('error', () => end(null));
  });
}

const CONNECT_MS = 5_000;
/** duplicate_prepared_statement and invalid_sql_statement_name: a pooler mixed the statements of two clients. */
const MIXED_UP = ['42P05', '26000'];

/**
 * Others use the pooler meanwhile, and get the connection that the first one had; each further one leaves the name on the
 * connection that it got, so that the next is likelier to meet it.
 */
const CLIENTS = 8;

/**
 * Prepares one name in several connections, one after the other, as many processes do. A pooler that does not follow the
 * names serves two of them with the same connection of the server, which has the name already.
 * @throws {StartError} when the pooler of DATABASE_URL does not follow prepared statements
 */
export async function refuseUnfitPooler(url: string): Promise<void> {
  const clients = Array.from({ length: CLIENTS }).map(
    () => new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS }),
  );
  try {
    for (const client of clients) {
      client.on('error', () => undefined); // The pending call reports the error.
      await client.connect();
      await client.query({ name: 'awp.start.pooler', text: 'SELECT 1' });
    }
  } catch (error) {
    if (MIXED_UP.includes((error as { code?: string }).code ?? ''))
      throw new StartError(
        'DATABASE_URL: its pooler does not follow prepared statements',
        'set DATABASE_PREPARED=off, or use PgBouncer 1.21 or newer with max_prepared_statements above 0',
        EXIT_CONFIG,
      );
    throw error;
  } finally {
    for (const client of clients) void client.end().catch(() => undefined); // The result is known.
  }
}

const OLDEST = 15;
const NEWEST = 18;

/** A database that accepted a connection. */
export interface ProbedDatabase {
  /** Such as 15.18. */
  version: string;
  /** Host, port and name, without user and password. */
  place: string;
}

/**
 * Checks the database of DATABASE_URL, and the way past its pooler where there is one. The role gets the limits that a
 * pooler keeps from connections.
 * @returns null for the embedded database
 * @throws {StartError} see `probeDatabase` and `refuseUnfitPooler`
 */
export async function probeDatabases(settings: Settings): Promise<ProbedDatabase | null> {
  const { databaseUrl, databaseDirectUrl } = settings;
  if (databaseUrl === null || databaseDirectUrl === null) return null;
  if (!settings.isDatabasePooled) return probeDatabase(databaseUrl, SESSION);
  const probed = await probeDatabase(databaseDirectUrl).catch(asOfDirectUrl);
  await setRoleLimits(databaseDirectUrl);
  await probeDatabase(databaseUrl);
  if (settings.usesPreparedStatements) await refuseUnfitPooler(databaseUrl);
  return probed;
}

/** Says of the address past the pooler what was said of DATABASE_URL. */
function asOfDirectUrl(error: unknown): never {
  if (!(error instanceof StartError)) throw error;
  const named = (text: string) => text.replaceAll('DATABASE_URL', 'DATABASE_DIRECT_URL');
  throw new StartError(named(error.problem), named(error.remedy), error.exitCode);
}

/**
 * Connects once to the database of DATABASE_URL and checks that the service can work with it.
 * @throws {StartError} when it does not accept the connection, or is not a PostgreSQL with the rights and version needed
 */
export async function probeDatabase(url: string, limits: ClientConfig = {}): Promise<ProbedDatabase> {
  const client = new Client({
    ...limits,
    connectionString: url,
    application_name: 'agent-work-platform start',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => undefined); // The pending call reports the error.
  try {
    await client.connect();
    return await judge(client);
  } catch (error) {
    throw error instanceof StartError ? error : await connectionError(client, error);
  } finally {
    void client.end().catch(() => undefined); // The result is known; the connection ends with the process at the latest.
  }
}

/** Returns host, port and name of the database, or the folder of its socket. */
export function placeOf({ host, port, database }: Client): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}/${database ?? ''}`;
}

interface Facts {
  number: number;
  version: string;
  mayCreate: boolean;
  isEmpty: boolean;
  isStandby: boolean;
  isReadOnly: boolean;
}

async function judge(client: Client): Promise<ProbedDatabase> {
  const { rows } = await client.query<Facts>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
       has_schema_privilege(current_user, 'public', 'CREATE') AS "mayCreate", to_regclass('public.migrations') IS NULL AS "isEmpty",
       pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
  );
  const [facts] = rows;
  refuseUnfit(facts!, placeOf(client));
  return { version: facts!.version.split(' ')[0]!, place: placeOf(client) };
}

/** @throws {StartError} when the version is not supported, or the service may not write there */
export function refuseUnfit(facts: Facts, place: string): void {
  const { number, version, mayCreate, isEmpty } = facts;
  const major = Math.floor(number / 10_000);
  if (major < OLDEST || major > NEWEST)
    throw new StartError(
      `DATABASE_URL: the server at ${place} is PostgreSQL ${version}`,
      `use a PostgreSQL of version ${OLDEST} to ${NEWEST}`,
      EXIT_CONFIG,
    );
  refuseUnwritable(facts, place);
  if (isEmpty && !mayCreate)
    throw new StartError(
      `DATABASE_URL: its user may not create tables in the schema public of ${place}`,
      'run GRANT CREATE, USAGE ON SCHEMA public for that user, or make it the owner of the database',
      EXIT_CONFIG,
    );
}

/** Both may end without a change of the service: a standby is promoted, and an operator allows writes again. */
function refuseUnwritable({ isStandby, isReadOnly }: Facts, place: string): void {
  if (isStandby)
    throw new StartError(
      `DATABASE_URL: the server at ${place} is a standby, which accepts no writes`,
      'set DATABASE_URL to the primary, or promote the standby',
      EXIT_RETRY,
    );
  if (isReadOnly)
    throw new StartError(
      `DATABASE_URL: the database at ${place} is read-only (default_transaction_read_only)`,
      'allow writes again, or set DATABASE_URL to a database that accepts them',
      EXIT_RETRY,
    );
}
