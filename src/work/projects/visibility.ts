import { Forbidden, RoleTooLow } from '../../platform/authentication/authentication.errors.js';
import {
  isAtLeast,
  type Principal,
  rankOf,
  type Role,
} from '../../platform/authentication/principals-and-roles.js';
import { NotFound } from '../../platform/http/problem.js';

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

/** An agent has no role: it sees a project or does not, and each route decides what it may do. */
const AGENT_RANK = 0;

/**
 * Which projects a caller sees, and with which role (contract §2). Only this file decides that. Every query that reads
 * anything of a project joins `membership` and keeps only the rows where `seen` holds.
 */
export interface Visibility {
  /** A LEFT JOIN that finds the caller's membership of the project `alias`. */
  membership: string;
  /** Condition: the caller sees the project `alias`. */
  seen: string;
  /** The caller's rank there (1 Viewer to 4 Owner, 0 for agents); only meaningful where `seen` holds. */
  rank: string;
  /** The values of the placeholders, which start at the number given. */
  parameters: unknown[];
}

/** null for a caller who is not a member: PostgreSQL's least() ignores nulls and would make the cap the rank. */
const rankOfMember = (cap: number | string) =>
  `CASE WHEN membership.role IS NOT NULL
     THEN least(array_position(ARRAY['Viewer', 'Editor', 'Admin', 'Owner'], membership.role), ${cap}) END`;

/**
 * Admins and Owners keep their role in every project. For other users the role in an open project is the higher of the
 * global role and the membership's; in a members-only project it is the membership's. The role of a key caps each.
 * @param alias of the table `projects` in the query
 * @param from number of the first placeholder; there are always two, so that one statement serves all callers
 */
export function visibilityOf(caller: Principal, alias: string, from: number): Visibility {
  // Every shape names it: PostgreSQL cannot infer the type of a parameter that a statement does not use.
  const bound = `$${from + 1}::int IS NOT NULL`;
  const visible = `(${alias}.visibility = 'open' OR membership.role IS NOT NULL) AND ${bound}`;
  if (caller.type === 'agent')
    return {
      membership: `LEFT JOIN project_members membership ON membership.project_id = ${alias}.id AND membership.agent_id = $${from}`,
      seen: visible,
      rank: String(AGENT_RANK),
      parameters: [caller.id, AGENT_RANK],
    };
  const global = rankOf(caller.role);
  const cap = rankOf(caller.roleCap ?? ('Owner' satisfies Role));
  const everywhere = global >= rankOf('Admin');
  return {
    membership: `LEFT JOIN project_members membership ON membership.project_id = ${alias}.id AND membership.user_id = $${from}`,
    seen: everywhere ? bound : visible,
    rank: everywhere
      ? `$${from + 1}::int`
      : `CASE WHEN ${alias}.visibility = 'open' THEN greatest($${from + 1}::int, ${rankOfMember(cap)})
         ELSE ${rankOfMember(cap)} END`,
    parameters: [caller.id, global],
  };
}

/**
 * The rank in the project `alias` of a row with a user's `rank` and `cap`, as `visibilityOf` decides for a calling user;
 * null where the user does not see it. The user's row of `project_members` there is joined as `membership`.
 */
export const rankOfUser = (alias: string, user: string) => `
  CASE WHEN ${user}.rank >= ${rankOf('Admin')} THEN ${user}.rank
    WHEN ${alias}.visibility = 'open' THEN greatest(${user}.rank, ${rankOfMember(`${user}.cap`)})
    ELSE ${rankOfMember(`${user}.cap`)} END`;

/** Condition: the agent sees the project `alias`, as `visibilityOf` decides for a calling agent. @param agentId SQL */
export const seenByAgent = (alias: string, agentId: string) => `
  (${alias}.visibility = 'open'
   OR EXISTS (SELECT 1 FROM project_members seer WHERE seer.project_id = ${alias}.id AND seer.agent_id = ${agentId}))`;

/** Condition: the user sees the project `alias`, as `visibilityOf` decides for a calling user. @param userId SQL */
export const seenByUser = (alias: string, userId: string) => `
  (${alias}.visibility = 'open'
   OR EXISTS (SELECT 1 FROM users seer WHERE seer.id = ${userId} AND seer.role IN ('Admin', 'Owner'))
   OR EXISTS (SELECT 1 FROM project_members seer WHERE seer.project_id = ${alias}.id AND seer.user_id = ${userId}))`;

/**
 * The role of a user who sees the project `alias`, as `visibilityOf` decides for a calling user.
 * @param user the alias of the table `users`
 */
export const roleOfUser = (alias: string, user: string) => `
  CASE WHEN ${user}.role IN ('Admin', 'Owner') THEN ${user}.role ELSE
    (SELECT (ARRAY['Viewer', 'Editor', 'Admin', 'Owner'])[greatest(
       array_position(ARRAY['Viewer', 'Editor', 'Admin', 'Owner'], held.role),
       CASE ${alias}.visibility WHEN 'open' THEN array_position(ARRAY['Viewer', 'Editor', 'Admin', 'Owner'], ${user}.role) END)]
     FROM (SELECT max(role) AS role FROM project_members WHERE project_id = ${alias}.id AND user_id = ${user}.id) AS held) END`;

/** Names the shape of the SQL, for prepared statements: one name must always mean one text. */
export function visibilityShape(caller: Principal): string {
  if (caller.type === 'agent') return 'agent';
  return rankOf(caller.role) >= rankOf('Admin')
    ? 'everywhere'
    : `member-${rankOf(caller.roleCap ?? 'Owner')}`;
}
