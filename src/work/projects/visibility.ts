import type { Principal } from '../../platform/auth/principal.js';
import { rankOf, type Role } from '../../platform/auth/roles.js';

/** Agents have no role: they see or they don't, and what they may do is each route's rule. */
export const AGENT_RANK = 0;

/**
 * What a caller can see, and with which role: the one place that says so (spec §2). Every query that reads
 * anything of a project joins `membership` and keeps only rows where `seen` holds.
 */
export interface Visibility {
  /** LEFT JOIN that finds the caller's membership of the project `alias`. */
  membership: string;
  /** Condition: the caller sees the project `alias`. */
  seen: string;
  /** The caller's rank there (1 Viewer to 4 Owner, 0 for agents); only meaningful where `seen` holds. */
  rank: string;
  /** Fills the placeholders, which start at the number given. */
  parameters: unknown[];
}

const RANK_OF_MEMBER = `array_position(ARRAY['Viewer', 'Editor', 'Admin', 'Owner'], membership.role)`;

/**
 * @param alias of the table `projects` in the query
 * @param from number of the first placeholder; there are always two, so that one statement serves all callers
 *
 * Admin and Owner keep their role everywhere. Else, in an open project it is the higher of the global role
 * and the membership's, in a members-only one the membership's alone. A key's own role caps all of it.
 */
export function visibilityOf(caller: Principal, alias: string, from: number): Visibility {
  if (caller.type === 'agent')
    return {
      membership: `LEFT JOIN project_members membership ON membership.project_id = ${alias}.id AND membership.agent_id = $${from}`,
      seen: `(${alias}.visibility = 'open' OR membership.role IS NOT NULL) AND $${from + 1}::int IS NOT NULL`,
      rank: String(AGENT_RANK),
      parameters: [caller.id, AGENT_RANK],
    };
  const global = rankOf(caller.role);
  const cap = rankOf(caller.roleCap ?? ('Owner' satisfies Role));
  const everywhere = global >= rankOf('Admin');
  return {
    membership: `LEFT JOIN project_members membership ON membership.project_id = ${alias}.id AND membership.user_id = $${from}`,
    seen: everywhere ? `$${from + 1}::int IS NOT NULL` : `(${alias}.visibility = 'open' OR membership.role IS NOT NULL)`,
    rank: everywhere
      ? `$${from + 1}::int`
      : `CASE WHEN ${alias}.visibility = 'open' THEN greatest($${from + 1}::int, least(${RANK_OF_MEMBER}, ${cap}))
         ELSE least(${RANK_OF_MEMBER}, ${cap}) END`,
    parameters: [caller.id, global],
  };
}

/** Names the shape of the SQL, for prepared statements: one name must always mean one text. */
export function visibilityShape(caller: Principal): string {
  if (caller.type === 'agent') return 'agent';
  return rankOf(caller.role) >= rankOf('Admin') ? 'everywhere' : `member-${rankOf(caller.roleCap ?? 'Owner')}`;
}
