import { Client, type ClientConfig } from 'pg';
import type { Settings } from '../config/settings.js';
import { STATEMENT_LIMITS, setRoleLimits } from '../database/statement-limits.js';
import { connectionError } from './connection-error.js';
import { refuseUnfitPooler } from './pooler-probe.js';
import { EXIT_CONFIG, EXIT_RETRY } from '../exit/exit-codes.js';
import { StartError } from './start-error.js';

const CONNECT_MS = 5_000;
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
  if (!settings.isDatabasePooled) return probeDatabase(databaseUrl, STATEMENT_LIMITS);
  const probed = await probeDatabase(databaseDirectUrl);
  await setRoleLimits(databaseDirectUrl);
  await probeDatabase(databaseUrl);
  if (settings.usesPreparedStatements) await refuseUnfitPooler(databaseUrl);
  return probed;
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
