import { isIP, type Socket } from 'node:net';
import { Client, type ClientConfig } from 'pg';
import { withStableTls } from '../config/database-tls.js';
import type { SecretSetting } from '../config/secret-files.js';
import type { Settings } from '../config/settings.js';
import { currentSpan, inSpan } from '../tracing/spans.js';
import { Confirmation, kindOf, type UnconfirmedWrites, waitsForStandby } from './unconfirmed-writes.js';

/** Returns the URL of the database as the file of its setting has it now; null where the setting has no file. */
export type PresentUrl = () => string | null;

/**
 * The URL for connections of the pool. Each new connection reads the file, so that one after a change of the password
 * uses the new one (contract §9). Only user and password differ from the URL of the start.
 */
export function poolUrl({ secrets }: Settings): PresentUrl {
  return () => urlIn(secrets.latest('DATABASE_URL'));
}

/** The same for connections past a pooler. */
export function directUrl({ secrets, isDatabasePooled }: Settings): PresentUrl {
  const setting: SecretSetting = isDatabasePooled ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
  return () => urlIn(secrets.latest(setting));
}

function urlIn(written: string | null): string | null {
  return written === null ? null : withStableTls(written);
}

const SYSTEM = { 'db.system.name': 'postgresql' };
const OPERATION = /^\s*(\w+)/;
/** The first table that a statement of each kind names; TypeORM puts names into quotation marks. */
const TABLE: Record<string, RegExp> = {
  SELECT: /\bFROM\s+"?(\w+)/i,
  INSERT: /\bINTO\s+"?(\w+)/i,
  UPDATE: /\bUPDATE\s+"?(\w+)/i,
  DELETE: /\bFROM\s+"?(\w+)/i,
};
/** These belong to the span of their transaction. */
const CONTROL = /^(?:START TRANSACTION|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)/;

/** The names of prepared statements by their texts, so that the text under one name cannot vary. */
const NAMES = new Map<string, string>();

/**
 * Returns `sql`, which each connection then parses and plans once under `name`. For frequent statements whose text never
 * changes: a text that is put together at each call would fill the memory of every connection.
 */
export function prepared(name: string, sql: string): string {
  NAMES.set(sql, name);
  return sql;
}

/**
 * Returns SQL of a parameter whose value the planner cannot see: the length of an array, a limit, an id that more rows have
 * than another. Where it sees one, a plan for that value looks cheaper than the generic plan of a prepared statement, and
 * every request pays for planning, which may cost ten times as much as the statement itself.
 */
export const unseen = (parameter: string): string => `(SELECT ${parameter})`;

/** The options of a connection. A pool passes them on to each connection that it opens. */
export interface ServiceClientConfig extends ClientConfig {
  /** Replaces `connectionString` at the moment in which the connection is made, unless it returns null. */
  presentUrl?: PresentUrl;
  /** Bounds how long a connection waits for the confirmation of a write. Without it there is no limit. */
  unconfirmed?: UnconfirmedWrites;
}

/** Returns the name that a statement is prepared under, or null. */
export const nameOf = (sql: string): string | null => NAMES.get(sql) ?? null;

type Send = (statement: unknown, ...rest: unknown[]) => unknown;
type CalledBack = (error: unknown, result?: unknown) => void;

/**
 * Every connection of the service. It prepares the statements that have a name, makes a span of each statement of traced
 * work, and begins transactions as READ COMMITTED, whatever the default of the database, with one statement in place of
 * TypeORM's two.
 */
export class ServiceClient extends Client {
  /** A pooler that hands a connection to another client after each transaction does not follow the names of statements. */
  protected readonly preparesStatements: boolean = true;
  /** The URL with the login that the connection was made with, where the login may change; otherwise null. */
  readonly login: string | null;
  /** Null where nothing bounds it. */
  readonly confirmation: Confirmation | null = null;

  private isResolved = false;

  constructor(config: ServiceClientConfig = {}) {
    const presentUrl = config.presentUrl?.() ?? null;
    const present = presentUrl === null ? config : { ...config, connectionString: presentUrl };
    super(present);
    this.login = presentUrl;
    if (config.unconfirmed)
      this.confirmation = new Confirmation(
        config.unconfirmed,
        () => waitsForStandby(present),
        () => this.cut(),
      );
    (this as unknown as { connection: { stream: Socket } }).connection.stream.once(
      'lookup',
      (error: unknown) => {
        this.isResolved = !error;
      },
    );
    this.addOptions(config.options);
    // node-postgres emits an error when a connection breaks between two statements, and Node ends a process that has no
    // listener for it. A pool removes its own listener while it hands a connection out. The next statement on the
    // connection reports the error to its caller.
    this.on('error', () => undefined);
    const send = this.query.bind(this) as Send;
    // The declared type of `query` has a dozen overloads; this one passes on whatever it gets.
    const sendAny: Send = (statement, ...rest) =>
      typeof statement === 'string'
        ? this.sendText(send, statement, rest)
        : send(this.preparesStatements ? statement : withoutName(statement), ...rest);
    this.query = (
      this.confirmation ? this.sendBounded.bind(this, sendAny, this.confirmation) : sendAny
    ) as Client['query'];
  }

  /** Closes a connection that waits for a confirmation. */
  abandon(): void {
    if (this.confirmation?.isOpen) this.cut();
  }

  private cut(): void {
    (this as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  }

  private sendBounded(
    send: Send,
    confirmation: Confirmation,
    statement: unknown,
    ...rest: unknown[]
  ): unknown {
    const text = typeof statement === 'string' ? statement : (statement as { text?: string }).text;
    const status = this.getTransactionStatus();
    const kind = kindOf(text, status === 'T' || status === 'E');
    if (kind === 'other' && !confirmation.isOpen) return send(statement, ...rest);
    const callback = rest.at(-1);
    if (typeof callback !== 'function')
      return confirmation.of(kind, () => send(statement, ...rest) as Promise<unknown>);
    // A turn of its own keeps an error of the callback from being one of the statement.
    const answer = confirmation.of(kind, () =>
      calledBack((settle) => send(statement, ...rest.slice(0, -1), settle)),
    );
    answer.then(
      (result) => process.nextTick(callback as CalledBack, undefined, result),
      (error: unknown) => process.nextTick(callback as CalledBack, error),
    );
    return undefined;
  }

  /** The options of a session in the URL replace those of the configuration in node-postgres. Both count here, and of one name the URL's. */
  private addOptions(own: string | undefined): void {
    const { connectionParameters: parameters } = this as unknown as {
      connectionParameters: { options?: string };
    };
    if (own !== undefined && parameters.options !== own)
      parameters.options = [own, parameters.options].filter(Boolean).join(' ');
  }

  /** The name of the host while no address of it is known; null for an address, for a socket, and afterwards. */
  get unresolvedHost(): string | null {
    return this.isResolved || isIP(this.host) !== 0 || this.host.startsWith('/') ? null : this.host;
  }

  private sendText(send: Send, text: string, [values, ...rest]: unknown[]): unknown {
    const name = nameOf(text);
    const run = (): unknown =>
      name !== null && this.preparesStatements
        ? send({ name, text, values }, ...rest)
        : send(
            text === 'START TRANSACTION' ? `${text} ISOLATION LEVEL READ COMMITTED` : text,
            values,
            ...rest,
          );
    // The pool's own `query` calls back, perhaps in the context of another request, and is traced by its caller.
    const isPromised = typeof values !== 'function' && rest.length === 0;
    return isPromised && !CONTROL.test(text)
      ? tracedStatement(name, text, run as () => Promise<unknown>)
      : run();
  }
}

function calledBack(run: (settle: CalledBack) => void): Promise<unknown> {
  return new Promise((resolve, reject) => {
    run((error, result) => (error ? reject(error) : resolve(result)));
  });
}

/** A connection that names no prepared statement (`DATABASE_PREPARED=off`), also for libraries that name their own. */
export class UnpreparedClient extends ServiceClient {
  protected override readonly preparesStatements = false;
}

function withoutName(statement: unknown): unknown {
  if (typeof statement !== 'object' || statement === null || !('name' in statement)) return statement;
  // A `Query` object keeps its state in itself, so it is changed and not copied.
  return Object.assign(statement, { name: undefined });
}

/**
 * Runs a statement in a span of its own, if the current work is traced. The span has the name of a prepared statement, or
 * the operation and table of another one: neither the text nor the values.
 */
export function tracedStatement<T>(name: string | null, sql: string, run: () => Promise<T>): Promise<T> {
  if (!currentSpan()) return run();
  const operation = OPERATION.exec(sql)?.[1]?.toUpperCase() ?? 'SQL';
  const table = TABLE[operation]?.exec(sql)?.[1];
  const summary = name ?? (table ? `${operation} ${table}` : operation);
  const attributes = { ...SYSTEM, 'db.operation.name': operation, 'db.query.summary': summary };
  return inSpan(summary, { kind: 'client', attributes }, run);
}

/** Runs a read that one statement makes for several callers, each of which gets a span of its own. */
export function tracedRead<T>(name: string, run: () => Promise<T>): Promise<T> {
  if (!currentSpan()) return run();
  const attributes = { ...SYSTEM, 'db.query.summary': name, 'awp.shared_statement': true };
  return inSpan(name, { kind: 'client', attributes }, run);
}
