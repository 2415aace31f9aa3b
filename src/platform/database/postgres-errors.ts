/** What PostgreSQL reports about a failed statement; TypeORM wraps it in `driverError`. */
interface PostgresError {
  code?: string;
  /** Set on an error of the operating system. */
  syscall?: string;
  constraint?: string;
  message?: string;
}

function causeOf(error: unknown): PostgresError {
  const candidate = error as { driverError?: PostgresError } & PostgresError;
  return candidate?.driverError ?? candidate ?? {};
}

/** Returns the SQLSTATE of an error of PostgreSQL, or the code of the operating system or of Node. */
export function sqlStateOf(error: unknown): string | undefined {
  return causeOf(error).code;
}

/** Whether a row with the same unique value exists; with `constraint`, under exactly that constraint or index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = causeOf(error);
  return cause.code === '23505' && (constraint === undefined || cause.constraint === constraint);
}

/** Whether a referenced row is missing, or is still referenced (23001 since PostgreSQL 18). */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  const cause = causeOf(error);
  return (
    (cause.code === '23503' || cause.code === '23001') &&
    (constraint === undefined || cause.constraint === constraint)
  );
}

/** Whether it is a deadlock or serialization failure: running the whole transaction again may succeed (contract §6). */
export function isWorthRetrying(error: unknown): boolean {
  return ['40P01', '40001'].includes(causeOf(error).code ?? '');
}

/** `statement_completion_unknown` of SQL. PostgreSQL itself never reports it. */
const OUTCOME_UNKNOWN = '40003';

/**
 * A write was sent, and its outcome is not known. PostgreSQL waits without a limit for a synchronous standby that is away:
 * `statement_timeout` does not end that, and a cancellation would report success. Or the connection broke before the response.
 */
export class OutcomeUnknown extends Error {
  readonly code = OUTCOME_UNKNOWN;

  /** @param settled whether the database has confirmed the write after all, once it has responded or the connection has ended */
  constructor(readonly settled: Promise<boolean>) {
    super('The database has not confirmed the write');
  }
}

/** Returns the error that says that the outcome of a write is not known, also where TypeORM has wrapped it; else null. */
export function outcomeUnknown(error: unknown): OutcomeUnknown | null {
  const cause = causeOf(error);
  return cause instanceof OutcomeUnknown ? cause : null;
}

/** PostgreSQL itself reports operator interventions only with a more precise code. */
export const UNCONFIRMED = '57000';

/** A write was refused before anything of it was done, because the database does not confirm those before it. */
export class WritesUnconfirmed extends Error {
  readonly code = UNCONFIRMED;

  constructor() {
    super('The database does not confirm writes');
  }
}

/** Errors of an open connection. Every error of opening one counts, see `isUnavailable`. */
const NETWORK_FAULTS = new Set(
  'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTCONN EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENETRESET'.split(
    ' ',
  ),
);

/** Errors of TLS have a code and no system call: the certificate of the database expired, or was replaced. */
const TLS_FAULTS = /^(ERR_SSL|ERR_TLS|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/;

/** Whether the connection ended while a statement waited for its response. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message = '' } = causeOf(error);
  if (code === undefined) return /^(Connection terminated|Query read timeout)/.test(message);
  return NETWORK_FAULTS.has(code) || TLS_FAULTS.test(code) || /^(08...|57P0[123])$/.test(code);
}

const DISK_FULL = '53100';
/** PostgreSQL has a SQLSTATE for ENOSPC alone: EDQUOT is an internal error, or one of the system, with this sentence. */
const QUOTA_USED_UP = /Disk quota exceeded/;

/** What PostgreSQL says to a new connection for which it cannot write its cache of the catalog. */
const NO_CATALOG_CACHE = /^could not write init file$/;

/** Whether the disk of the database is full, or the quota of the user that its server runs as is used up. */
export function isDatabaseFull(error: unknown): boolean {
  const { code = '', message = '' } = causeOf(error);
  if (code === DISK_FULL || (code === 'XX000' && NO_CATALOG_CACHE.test(message))) return true;
  return /^(XX000|58030)$/.test(code) && QUOTA_USED_UP.test(message);
}

/** What pg, pg-pool and TypeORM say without a code when a connection cannot be made, or has ended. */
const DRIVER_SENTENCES =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|connection error|not queryable|pool after calling end|Query read timeout|SSL connection|Driver not Connected|Query runner already released|^SASL: SCRAM-SERVER|^SASL channel|^Received unexpected|^Unknown authenticationOk/;

/**
 * Whether the database is unreachable, full, restarting, or too busy to respond in time: the caller may try again later
 * (503). 08 connection, 28 and 3D000 login (the password or the database is being replaced), 40 rollback, 53 resources,
 * 57 operator intervention (also statement_timeout), 55P03 lock_timeout, 25P03 idle_in_transaction_session_timeout,
 * 58 system error.
 */
export function isUnavailable(error: unknown): boolean {
  const { code, syscall } = causeOf(error);
  // The socket of a database that is being restarted is missing (ENOENT); its queue may be full (EAGAIN).
  if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  if (isDatabaseFull(error)) return true;
  if (
    code !== undefined &&
    (NETWORK_FAULTS.has(code) ||
      TLS_FAULTS.test(code) ||
      /^(08|28|40|53|57|58)...$|^3D000$|^55P03$|^25P03$|^25006$/.test(code))
  )
    return true;
  return error instanceof Error && DRIVER_SENTENCES.test(error.message);
}

/**
 * Whether a value fits no column (NUL in text, bad uuid, overflow, a text too long for its column or index): a second
 * check below validation.
 */
export function isUnacceptableValue(error: unknown): boolean {
  return ['22001', '22003', '22007', '22008', '22015', '22021', '22P02', '22P05', '54000'].includes(
    causeOf(error).code ?? '',
  );
}

/** What the operating system reports of a disk without space, and of a user or group whose quota is used up. */
const FULL_CODES = ['ENOSPC', 'EDQUOT'];

/**
 * Whether an error of the file system says that nothing more fits: the disk is full, or the quota of the service's user is
 * used up. Both are treated alike everywhere (contract §8.6). A file that is larger than the disk takes is `EFBIG`, which
 * only the store of attachments counts too.
 */
export function isDiskFull(error: unknown): boolean {
  return FULL_CODES.includes((error as NodeJS.ErrnoException | null)?.code ?? '');
}
