import { connect } from 'node:net';
import type { Client } from 'pg';
import { EXIT_CONFIG, EXIT_RETRY } from '../exit/exit-codes.js';
import { StartError } from './start-error.js';

const PROBE_MS = 3_000;
/** The message SSLRequest: its length and the code 80877103. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

type Description = (client: Client) => [problem: string, remedy: string];

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
  28000: ({ host, port, user }) => [
    `PostgreSQL at ${host}:${port} rejects user ${user}`,
    'correct the user in DATABASE_URL, or allow the connection in pg_hba.conf of the server',
  ],
  '08P01': ({ host, port }) => [
    `the server at ${host}:${port} rejects the settings of a connection, as PgBouncer does`,
    'set DATABASE_DIRECT_URL to the PostgreSQL behind the pooler; docs/scaling.md describes poolers',
  ],
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
  const known = KNOWN[code]?.(client);
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
