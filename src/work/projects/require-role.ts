import { Forbidden, RoleTooLow } from '../../platform/auth/auth.errors.js';
import type { Principal } from '../../platform/auth/principal.js';
import { isAtLeast, rankOf, type Role } from '../../platform/auth/roles.js';
import { NotFound } from '../../platform/http/problem.js';

/** Something of a project, as a query over `visibilityOf` found it: with the caller's rank there. */
export interface Seen {
  callerRank: number;
}

/**
 * Decides over the object that a path names: what the caller can't see answers as what is not there, but
 * for a caller whose global role would never do (spec §1, §2).
 * @param row null where the id is unknown, malformed or not the caller's to see
 */
export function requireRole<T extends Seen>(caller: Principal, row: T | null, threshold: Role): T {
  if (!row) {
    if (caller.type === 'user' && !isAtLeast(caller.role, threshold)) throw new RoleTooLow(threshold);
    throw new NotFound();
  }
  if (caller.type === 'user' && row.callerRank < rankOf(threshold)) throw new RoleTooLow(threshold);
  return row;
}

/** Who deletes what others made: its author, or an Admin there. */
export function requireAuthorOrAdmin(
  caller: Principal,
  row: Seen,
  authorId: string | null,
  what: string,
): void {
  if (caller.id === authorId || row.callerRank >= rankOf('Admin')) return;
  throw new Forbidden(`Only the author or an Admin may change this ${what}.`);
}
