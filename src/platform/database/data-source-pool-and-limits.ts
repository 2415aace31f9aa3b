import { join } from 'node:path';
import pg, { Client, type CustomTypesConfig, Pool, type PoolClient, type PoolConfig, types } from 'pg';
import type { DataSource, DataSourceOptions } from 'typeorm';
import { parseJson } from '../json/exact-json.js';
import { isDatabaseFull } from './postgres-errors.js';
import {
  type PresentUrl,
  ServiceClient,
  type ServiceClientConfig,
  UnpreparedClient,
} from './service.client.js';
import { UnconfirmedWrites } from './unconfirmed-writes.js';

const { JSON: JSON_TEXT, TIMESTAMPTZ } = types.builtins;
const parseAny: (text: string) => Date = types.getTypeParser(TIMESTAMPTZ);
const UTC = '+00';
const SPACE_AFTER_DATE = 10;

/** Returns the time that PostgreSQL has written as text, as the parser of node-postgres does. */
export function timestampIn(text: string): Date {
  const isLikeIso = text.endsWith(UTC) && text[SPACE_AFTER_DATE] === ' ';
  if (!isLikeIso) return parseAny(text);
  return new Date(`${text.slice(0, SPACE_AFTER_DATE)}T${text.slice(SPACE_AFTER_DATE + 1, -UTC.length)}Z`);
}

const OWN = new Map<number, (text: string) => unknown>([
  [TIMESTAMPTZ, timestampIn],
  [JSON_TEXT, parseJson],
]);

/**
 * The parsers of node-postgres, but a faster one of times, which took a tenth of the processor time of a list, and one of
 * json that keeps the digits of numbers. jsonb has no digits to keep.
 */
export const TYPES: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && OWN.get(oid)) ||
    types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
};

// While the database does not answer, requests are refused within 5 seconds (contract §8.6). Each of these is below that.

/** How long the making of a connection may take. */
export const CONNECT_TIMEOUT_MS = 4_000;

/** After this time without a response to a probe, the connections of the pool are closed, and who waits for them is refused. */
export const SILENCE_MS = 2_500;

/** Milliseconds after which PostgreSQL gives up on behalf of a request (contract §8). */
export const STATEMENT_LIMITS = {
  statement_timeout: 10_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 15_000,
};

/**
 * Compiling a statement (JIT, on by default in PostgreSQL 12 to 18 where it was built with LLVM) pays for reports over millions
 * of rows. The estimated cost of the statement of attention is above the threshold with no row at all: compiling it took 15 to 36 s on two
 * processors, more than any limit here, and the statement itself 0.1 s.
 */
const WITHOUT_JIT = { name: 'jit', value: 'off' };

/** What every connection of the pool begins with, as parameters of the start of a session. */
export const SESSION = { ...STATEMENT_LIMITS, options: `-c ${WITHOUT_JIT.name}=${WITHOUT_JIT.value}` };

const PRESENT = `
  SELECT setconfig FROM pg_db_role_setting s JOIN pg_roles r ON r.oid = s.setrole JOIN pg_database d ON d.oid = s.setdatabase
  WHERE r.rolname = current_user AND d.datname = current_database()`;

/**
 * Makes these settings those of the service's role in this database, for connections that a pooler opens: it rejects them as
 * parameters of a connection, and a `SET` would reach whichever client is served next (decision 0037).
 * @param directUrl of the database itself
 */
export async function setRoleLimits(directUrl: string): Promise<void> {
  const client = new Client({ connectionString: directUrl, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // The pending call reports the error.
  await client.connect();
  try {
    const { rows } = await client.query<{ setconfig: string[] }>(PRESENT);
    const present = new Set(rows.flatMap(({ setconfig }) => setconfig));
    const database = client.escapeIdentifier(client.database ?? '');
    const settings = { ...STATEMENT_LIMITS, [WITHOUT_JIT.name]: WITHOUT_JIT.value };
    for (const [name, value] of Object.entries(settings))
      if (!present.has(`${name}=${value}`))
        await client.query(`ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = ${value}`);
  } finally {
    await client.end();
  }
}

/** Returns how many milliseconds the clock of this host is ahead of that of the database; less than 0 where it is behind. */
export async function clockAheadMs(database: DataSource): Promise<number> {
  const begin = Date.now();
  const [row] = await database.query<{ now: string }[]>(
    'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now',
  );
  // The middle of the round trip.
  return (begin + Date.now()) / 2 - Number(row!.now);
}

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void;

/** PostgreSQL has no connection left for this role, database or server, or rejects a password that was just replaced. A full disk may refuse one as well. */
const NO_FURTHER = /^(53300|28P01|28000)$/;
/** After this time the pool tries again to grow. */
const SMALLER_MS = 10_000;

/**
 * A pool that waits for one of its connections where PostgreSQL refuses a further one. pg-pool fails the request that
 * wanted to open it, although another connection would be free in milliseconds. Until it may grow again, the pool is as large as it is.
 */
export class ServicePool extends Pool {
  private readonly most = this.options.max;
  /** The URL with the login that every connection must have; null until a login was replaced. */
  private login: string | null = null;
  /** `totalCount` has those too that are being made, and two that are refused would wait for one another. */
  private established = 0;

  constructor(options?: PoolConfig) {
    super(options);
    this.on('connect', () => (this.established += 1));
    this.on('remove', () => (this.established -= 1));
    // The pool removes a connection that ends here in place of keeping it.
    this.on('release', (_, client) => void (this.isOutdated(client) && client.end()));
  }

  /** Ends every connection of another login: idle ones at once, and the others when their work is done. */
  renew(login: string): void {
    this.login = login;
    for (let idle = this.idleCount; idle > 0; idle -= 1)
      void this.connect().then(
        (client) => client.release(),
        // An error of taking one concerns no caller: the next request meets it.
        () => undefined,
      );
  }

  private isOutdated(client: PoolClient): boolean {
    return this.login !== null && (client as unknown as ServiceClient).login !== this.login;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    if (callback) return this.take(callback, performance.now() + CONNECT_TIMEOUT_MS);
    return new Promise((resolve, reject) => {
      this.connect((error, client) => (error ? reject(error) : resolve(client!)));
    });
  }

  /** Writes of this pool whose confirmation is late. */
  get unconfirmed(): number {
    return (this.options as ServiceClientConfig).unconfirmed?.count ?? 0;
  }

  /** Connections that wait for a confirmation would never be given back. */
  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    const { _clients: clients } = this as unknown as { _clients: ServiceClient[] };
    for (const client of [...clients]) if (client instanceof ServiceClient) client.abandon();
    return callback ? super.end(callback) : super.end();
  }

  private take(callback: Connected, deadline: number): void {
    super.connect((error, client, done) => {
      const isRefused =
        isDatabaseFull(error) || NO_FURTHER.test((error as { code?: string } | undefined)?.code ?? '');
      if (!isRefused || this.established === 0 || performance.now() > deadline)
        return callback(error, client, client ? givenBackWhenAnswered(client) : done);
      this.stayAsSmall();
      this.take(callback, deadline);
    });
  }

  private stayAsSmall(): void {
    if (this.options.max === this.most) setTimeout(() => (this.options.max = this.most), SMALLER_MS).unref();
    this.options.max = this.established;
  }
}

/** Keeps a connection from its next user while the response to a write may still come. */
function givenBackWhenAnswered(client: PoolClient): PoolClient['release'] {
  const release = client.release.bind(client);
  const { confirmation } = client as unknown as ServiceClient;
  client.release = (error) => {
    if (confirmation?.isOpen) confirmation.whenSettled((isConfirmed) => release(!isConfirmed));
    else release(error);
  };
  return client.release;
}

/** How the pool reaches PostgreSQL: directly, or through a pooler in transaction mode. */
export interface PoolPath {
  /** A pooler rejects settings at the start of a connection; the role has them instead (see `setRoleLimits`). */
  isPooled: boolean;
  usesPreparedStatements: boolean;
  /** The URL for each new connection, where it may change. */
  presentUrl?: PresentUrl;
  /** Whether a write has its outcome, or an error, within a bounded time. A migration may commit for long. */
  boundsWrites?: boolean;
}

/**
 * A pooler keeps connections after the service has ended, so that this name does not mean that one runs. Commands look for
 * the connection that every process has beside its pool (`keys retire`).
 */
const POOLED = 'agent-work-platform pooled';

export const DIRECT: PoolPath = { isPooled: false, usesPreparedStatements: true };

/** Returns the options of every connection that the service makes. Without the time-outs node-postgres waits forever. */
export function dataSourceOptions(url: string, poolSize: number, path: PoolPath = DIRECT): DataSourceOptions {
  return {
    type: 'postgres',
    driver: { ...pg, Pool: ServicePool },
    url,
    applicationName: path.isPooled ? POOLED : 'agent-work-platform',
    logging: false,
    migrations: [join(import.meta.dirname, '../../../migrations/*.js')],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    poolSize,
    // Without a listener node-postgres ends the process when an idle connection breaks. The pool replaces the
    // connection, and a statement that needs one meanwhile reports the error.
    poolErrorHandler: () => undefined,
    extra: {
      types: TYPES,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      ...(path.isPooled ? {} : SESSION),
      ...(path.presentUrl && { presentUrl: path.presentUrl }),
      ...(path.boundsWrites && { unconfirmed: new UnconfirmedWrites(poolSize) }),
      Client: path.usesPreparedStatements ? ServiceClient : UnpreparedClient,
    },
  };
}
