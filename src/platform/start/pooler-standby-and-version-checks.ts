import { Client, type ClientConfig } from 'pg';
import type { Settings } from '../config/settings.js';
import { SESSION, setRoleLimits } from '../database/data-source-pool-and-limits.js';
import { EXIT_CONFIG, EXIT_RETRY, StartError } from '../exit/exit-codes.js';
import { allowingWrites, connectionError, ofDirectUrl, placeOf, quoted } from './connection-refusals.js';

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
  const probed = await probeDatabase(databaseDirectUrl).catch((error: unknown) => {
    throw ofDirectUrl(error);
  });
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

interface Facts {
  number: number;
  version: string;
  mayCreate: boolean;
  isEmpty: boolean;
  isStandby: boolean;
  isReadOnly: boolean;
  /** Where `default_transaction_read_only` is set, in the words of pg_settings. */
  readOnlyBy?: string;
}

async function judge(client: Client): Promise<ProbedDatabase> {
  const { rows } = await client.query<Facts>(
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version,
       has_schema_privilege(current_user, 'public', 'CREATE') AS "mayCreate", to_regclass('public.migrations') IS NULL AS "isEmpty",
       pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly",
       (SELECT source FROM pg_settings WHERE name = 'default_transaction_read_only') AS "readOnlyBy"`,
  );
  const [facts] = rows;
  refuseUnfit(facts!, client);
  return { version: facts!.version.split(' ')[0]!, place: placeOf(client) };
}

/** @throws {StartError} when the version is not supported, or the service may not write there */
export function refuseUnfit(facts: Facts, client: Client): void {
  const { number, version, mayCreate, isEmpty } = facts;
  const place = placeOf(client);
  const major = Math.floor(number / 10_000);
  if (major < OLDEST || major > NEWEST)
    throw new StartError(
      `DATABASE_URL: the server at ${place} is PostgreSQL ${version}`,
      `use a PostgreSQL of version ${OLDEST} to ${NEWEST}`,
      EXIT_CONFIG,
    );
  refuseUnwritable(facts, client);
  if (isEmpty && !mayCreate)
    throw new StartError(
      `DATABASE_URL: its user may not create tables in the schema public of ${place}`,
      `run \`GRANT CREATE, USAGE ON SCHEMA public TO ${quoted(client.user)}\` in that database, or make the user its owner`,
      EXIT_CONFIG,
    );
}

/** Both may end without a change of the service: a standby is promoted, and an operator allows writes again. */
function refuseUnwritable({ isStandby, isReadOnly, readOnlyBy }: Facts, client: Client): void {
  const place = placeOf(client);
  if (isStandby)
    throw new StartError(
      `DATABASE_URL: the server at ${place} is a standby, which accepts no writes`,
      'set DATABASE_URL to the primary, or promote the standby with `SELECT pg_promote()`',
      EXIT_RETRY,
    );
  if (isReadOnly)
    throw new StartError(
      `DATABASE_URL: the database at ${place} is read-only (default_transaction_read_only)`,
      `allow writes again${allowingWrites(readOnlyBy, client)}, or set DATABASE_URL to a database that accepts them`,
      EXIT_RETRY,
    );
}
