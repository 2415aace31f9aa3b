import {
  isDatabaseFull,
  isUnavailable,
  isWorthRetrying,
  outcomeUnknown,
  sqlStateOf,
  UNCONFIRMED,
} from '../database/postgres-errors.js';
import { TryAgain } from '../database/transactions.service.js';
import { Problem } from '../http/problem.js';

/** PostgreSQL: a standby, or a database whose operator made it read-only, as managed ones do near a full disk. */
const READ_ONLY = '25006';
const NO_CONNECTION_LEFT = '53300';
/** The password was changed, or the database is being replaced. */
const REJECTED = /^28...$|^3D000$/;

/** 503: writes must wait for the operator of the database; reads work. */
export class DatabaseReadOnly extends Problem {
  constructor() {
    super(
      'database_read_only',
      'The database accepts no writes: it is a standby, or its operator made it read-only. Reads work. Try again later.',
      { headers: { 'Retry-After': '10' } },
    );
  }
}

/** 503: the disk of the database is full; reads work, until it ends for lack of space and refuses connections. */
export class DatabaseFull extends Problem {
  constructor() {
    super(
      'storage_full',
      'The disk of the database is full. Reads work while it accepts connections. Try again when the operator of the service has freed space.',
      { headers: { 'Retry-After': '10' } },
    );
  }
}

/** 503: the database has not confirmed a write, and may have made it all the same. */
export class OutcomeNotKnown extends Problem {
  constructor() {
    super(
      'outcome_unknown',
      'The database has not confirmed this write, which may have been made all the same. Send the request again with its Idempotency-Key; without one, look first whether it was made.',
      { headers: { 'Retry-After': '5' } },
    );
  }
}

/** Whether the database rejects the user, the password or the name of the database. */
export function isRejection(error: unknown): boolean {
  return REJECTED.test(sqlStateOf(error) ?? '');
}

/** Returns the 503 that names why the database cannot do this at the moment, or null for any other error (contract §8.6). */
export function databaseProblem(error: unknown): Problem | null {
  const code = sqlStateOf(error);
  if (code === READ_ONLY) return new DatabaseReadOnly();
  if (isDatabaseFull(error)) return new DatabaseFull();
  if (outcomeUnknown(error)) return new OutcomeNotKnown();
  if (!isUnavailable(error) && !isWorthRetrying(error) && !(error instanceof TryAgain)) return null;
  return new Problem('unavailable', `${sentenceFor(error, code)} Try again in a moment.`, {
    headers: { 'Retry-After': '2' },
  });
}

function sentenceFor(error: unknown, code: string | undefined): string {
  if (isRejection(error)) return 'The database rejects the credentials of the service.';
  if (code === NO_CONNECTION_LEFT) return 'The database has no connection left.';
  if (code === UNCONFIRMED)
    return 'The database does not confirm writes, as with a synchronous standby that is away, so this one was not begun.';
  return 'The database does not respond.';
}
