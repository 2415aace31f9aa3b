import { connect } from 'node:net';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Settings } from '../config/settings.js';
import { isUnavailable, sqlStateOf } from '../database/postgres-errors.js';
import { EXIT_CONFIG, EXIT_RETRY, StartError } from '../exit/exit-codes.js';

const PROBE_MS = 3_000;
/** The message SSLRequest: its length and the code 80877103. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

/** Returns a name as a statement has it. */
export const quoted = (name = '') => `"${name.replaceAll('"', '""')}"`;

type Description = (client: Client, said: string) => [problem: string, remedy: string];

const unreachable: Description = ({ host, port }) => [
  `no PostgreSQL responds at ${host}:${port}`,
  'start that PostgreSQL, or correct host and port in DATABASE_URL',
];
const unresolved: Description = ({ host }) => [
  `the host name ${host} cannot be resolved`,
  'correct the host in DATABASE_URL, or check the name service of this host',
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
    said.includes('not permitted to log in')
      ? [
          `PostgreSQL at ${host}:${port} does not let user ${user} log in`,
          `allow it with \`ALTER ROLE ${quoted(user)} LOGIN\`, or correct the user in DATABASE_URL`,
        ]
      : [
          `PostgreSQL at ${host}:${port} rejects user ${user}`,
          'correct the user in DATABASE_URL, or allow the connection in pg_hba.conf of the server',
        ],
  42501: (client) => [
    `user ${client.user} may not connect to the database ${client.database} of PostgreSQL at ${client.host}:${client.port}`,
    `allow it with \`GRANT CONNECT ON DATABASE ${quoted(client.database)} TO ${quoted(client.user)}\`, or correct user and name in DATABASE_URL`,
  ],
  55000: (client) => [
    `PostgreSQL at ${client.host}:${client.port} accepts no connections to the database ${client.database}`,
    `allow them with \`ALTER DATABASE ${quoted(client.database)} ALLOW_CONNECTIONS true\`, or correct the name in DATABASE_URL`,
  ],
  '08P01': ({ host, port }) => [
    `the server at ${host}:${port} rejects the settings of a connection, as PgBouncer does`,
    'set DATABASE_DIRECT_URL to the PostgreSQL behind the pooler; docs/scaling.md describes poolers',
  ],
  '3D000': (client) => [
    `PostgreSQL at ${client.host}:${client.port} has no database ${client.database}`,
    `create it with \`CREATE DATABASE ${quoted(client.database)} OWNER ${quoted(client.user)}\`, or correct the name in DATABASE_URL`,
  ],
  53300: (client, said) => [
    `PostgreSQL at ${client.host}:${client.port} has no connection left for user ${client.user}`,
    `end connections that are not needed, or ${moreConnections(client, said)}`,
  ],
};

/** pg_hba.conf may demand TLS, or reject the user in each case: PostgreSQL does not say which. */
const WITHOUT_TLS: Description = ({ host, port, user }) => [
  `PostgreSQL at ${host}:${port} does not accept user ${user} without TLS`,
  'add sslmode=verify-full to DATABASE_URL, and sslrootcert=FILE where the certificate is of an authority of your own; or allow the connection in pg_hba.conf of the server',
];

/**
 * PostgreSQL says whose limit it is: that of the role, of the database, or of the whole server, whose last 'slots are reserved
 * for roles with the SUPERUSER attribute'.
 */
function moreConnections({ user, database }: Client, said: string): string {
  if (said.includes('connections for role'))
    return `allow more with \`ALTER ROLE ${quoted(user)} CONNECTION LIMIT -1\``;
  if (said.includes('connections for database'))
    return `allow more with \`ALTER DATABASE ${quoted(database)} CONNECTION LIMIT -1\``;
  return 'raise max_connections of that PostgreSQL';
}

/** What node-postgres says when the server refuses TLS; the error has no code. */
const NO_TLS = 'The server does not support SSL connections';
/** The certificate is of an authority that this host does not know, has expired, or is of another host. */
const UNTRUSTED = /^(ERR_TLS_CERT|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/;

/** Why a certificate is refused although its authority is known. */
const REFUSED: Record<string, (subject: string) => [problem: string, remedy: string]> = {
  CERT_HAS_EXPIRED: () => ['has expired', 'renew it on that PostgreSQL, and reload its configuration'],
  CERT_NOT_YET_VALID: () => [
    'is not valid yet',
    'check the clock of this host, or make a new certificate for that PostgreSQL',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: (subject) => [
    `is of another host${subject && ` (${subject})`}`,
    'write the host into DATABASE_URL as the certificate does, or add this one to the certificate',
  ],
};
const UNKNOWN_AUTHORITY: [problem: string, remedy: string] = [
  'is of an authority that this host does not know',
  'name the certificate of its authority with sslrootcert in DATABASE_URL',
];

/** Describes why the way to the database cannot be encrypted as DATABASE_URL says, or returns null (contract §9.4). */
function tlsError({ host, port }: Client, code: string, error: unknown): StartError | null {
  if (error instanceof Error && error.message === NO_TLS)
    return new StartError(
      `DATABASE_URL: PostgreSQL at ${host}:${port} offers no TLS`,
      'turn on ssl in that PostgreSQL, or set sslmode=disable in DATABASE_URL where the way to it is protected otherwise',
      EXIT_RETRY,
    );
  if (!UNTRUSTED.test(code)) return null;
  const [why, remedy] = REFUSED[code]?.(subjectOf(error)) ?? UNKNOWN_AUTHORITY;
  return new StartError(
    `DATABASE_URL: the certificate of PostgreSQL at ${host}:${port} ${why} (${code})`,
    remedy,
    EXIT_RETRY,
  );
}

/** The names that the certificate is for, such as 'DNS:db.example.com', as Node reports them. */
function subjectOf(error: unknown): string {
  return (error as { cert?: { subjectaltname?: string } }).cert?.subjectaltname ?? '';
}

/**
 * Describes why the database of DATABASE_URL did not accept a connection. A refusal may pass by itself, for instance
 * when another program creates the user and the database; a server that is not PostgreSQL never becomes one.
 */
export async function connectionError(client: Client, error: unknown): Promise<StartError> {
  const code = (error as { code?: string }).code ?? '';
  const said = error instanceof Error ? error.message : '';
  const known = (await demandsTls(client, said)) ? WITHOUT_TLS(client, said) : KNOWN[code]?.(client, said);
  if (known) return new StartError(`DATABASE_URL: ${known[0]} (${code})`, known[1], EXIT_RETRY);
  const ofTls = tlsError(client, code, error);
  return ofTls ?? (await otherServer(client, code)) ?? unexpectedRefusal(client, code, error);
}

/**
 * PostgreSQL adds 'no encryption' to each connection without TLS that pg_hba.conf rejects, also where TLS would not help. It
 * can help only where the server offers it.
 */
async function demandsTls({ host, port }: Client, said: string): Promise<boolean> {
  return said.includes('no encryption') && (await answerToTls(host, port)) !== 'N';
}

/** What node-postgres says where neither an answer nor a refusal came in time; the error has no code. */
const NO_ANSWER = /timeout/;

function unexpectedRefusal(client: Client, code: string, error: unknown): StartError {
  if (code === '' && error instanceof Error && NO_ANSWER.test(error.message))
    return new StartError(
      `DATABASE_URL: PostgreSQL at ${client.host}:${client.port} does not answer (${error.message})`,
      'check that this PostgreSQL is not frozen or overloaded, that no firewall drops the connection, and host and port in DATABASE_URL',
      EXIT_RETRY,
    );
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
  if (code !== '' || host.startsWith('/')) return null;
  const answer = await answerToTls(host, port);
  if (answer === null || 'SNE'.includes(answer)) return null;
  return new StartError(
    `DATABASE_URL: the server at ${host}:${port} is not PostgreSQL`,
    'set DATABASE_URL to the host and port of a PostgreSQL',
    EXIT_CONFIG,
  );
}

/**
 * Returns the first character with which the server responds to SSLRequest: S where it offers TLS, N where it does not, and E
 * for an error, as every PostgreSQL does; null when it says nothing, as a proxy without a server behind it.
 */
function answerToTls(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PROBE_MS });
    const end = (answer: string | null) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => socket.write(SSL_REQUEST));
    // An HTTP server waits for the end of the line before it rejects the request.
    socket.once('timeout', () => end(null));
    socket.once('data', ([first]: Buffer) => end(String.fromCharCode(first ?? 0)));
    socket.once('close', () => end(null));
    // The connection of node-postgres has reported why the server cannot be reached.
    socket.once('error', () => end(null));
  });
}

/** Returns the error of the address past the pooler, where it says of DATABASE_URL what is true of DATABASE_DIRECT_URL. */
export function ofDirectUrl(error: unknown): unknown {
  if (!(error instanceof StartError)) return error;
  const named = (text: string) => text.replaceAll('DATABASE_URL', 'DATABASE_DIRECT_URL');
  return new StartError(named(error.problem), named(error.remedy), error.exitCode);
}

/** Returns host, port and name of the database, or the folder of its socket. */
export function placeOf({ host, port, database }: Client): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}/${database ?? ''}`;
}

/**
 * Returns the statement that ends a read-only default where it was set, or nothing where no statement does.
 * @param source in the words of pg_settings
 */
export function allowingWrites(source: string | undefined, { database, user }: Client): string {
  const reset = 'RESET default_transaction_read_only';
  const [ofRole, ofDatabase] = [`ALTER ROLE ${quoted(user)}`, `DATABASE ${quoted(database)}`];
  switch (source) {
    case 'database':
      return ` with \`ALTER ${ofDatabase} ${reset}\``;
    case 'user':
      return ` with \`${ofRole} ${reset}\``;
    case 'database user':
      return ` with \`${ofRole} IN ${ofDatabase} ${reset}\``;
    case 'configuration file':
      return ' with `ALTER SYSTEM SET default_transaction_read_only = off` and `SELECT pg_reload_conf()`';
    default:
      return '';
  }
}

/**
 * Describes an error of a database that had accepted a connection before, such as one that restarts during the migrations,
 * or a proxy that cuts connections. Returns null for an error of anything else.
 */
export function lostDatabase(
  error: unknown,
  { databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>,
): StartError | null {
  if (error instanceof StartError || !isUnavailable(error)) return null;
  const said = error instanceof Error ? error.message : String(error);
  const code = sqlStateOf(error);
  const reason = [said, ...(code === undefined || said.includes(code) ? [] : [code])].join(', ');
  if (databaseUrl === null)
    return new StartError(
      `The embedded database in ${join(dataDir, 'postgres')} was lost during the start (${reason})`,
      `read ${join(dataDir, 'postgres.log')}, which names the cause, and start again`,
      EXIT_RETRY,
    );
  return new StartError(
    `DATABASE_URL: the database at ${placeOf(new Client({ connectionString: databaseUrl }))} was lost during the start (${reason})`,
    'check that PostgreSQL runs and has space and connections left, and that no pooler or firewall between cuts connections; its log says more',
    EXIT_RETRY,
  );
}
