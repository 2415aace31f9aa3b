import { Forbidden, RoleTooLow } from '../../platform/auth/auth.errors.js';
import type { Principal } from '../../platform/auth/principal.js';
import { isAtLeast, rankOf, type Role } from '../../platform/auth/roles.js';
import { NotFound } from '../../platform/http/problem/problem.js';

/** A row that a query over `visibilityOf` found, with the caller's rank in its project. */
export interface Seen {
  callerRank: number;
}

/**
 * Checks the caller's role for the object that a path names. An object that the caller cannot see gives the same error as
 * one that does not exist: 404, or 403 when the caller's global role is below the threshold (contract §1, §2).
 * @param row null when the id is unknown, malformed, or names an object that the caller cannot see
 * @throws {NotFound | RoleTooLow}
 */
export function requireRole<T extends Seen>(caller: Principal, row: T | null, threshold: Role): T {
  if (!row) {
    if (caller.type === 'user' && !isAtLeast(caller.role, threshold)) throw new RoleTooLow(threshold);
    throw new NotFound();
  }
  if (caller.type === 'user' && row.callerRank < rankOf(threshold)) throw new RoleTooLow(threshold);
  return row;
}

/** @throws {Forbidden} unless the caller is the author or an Admin of the project */
export function requireAuthorOrAdmin(
  caller: Principal,
  row: Seen,
  authorId: string | null,
  what: string,
): void {
  if (caller.id === authorId || row.callerRank >= rankOf('Admin')) return;
  throw new Forbidden(`Only the author or an Admin may change this ${what}.`);
}
