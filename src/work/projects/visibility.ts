import type { Principal } from '../../platform/auth/principal.js';
import { rankOf, type Role } from '../../platform/auth/roles.js';

/** Agents have no role: they see or they don't, and what they may do is each route's rule. */
const AGENT_RANK = 0;

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

/** null for who is no member: PostgreSQL's least() passes over nulls and would make the cap their rank. */
const rankOfMember = (cap: number) =>
  `CASE WHEN membership.role IS NOT NULL
     THEN least(array_position(ARRAY['Viewer', 'Editor', 'Admin', 'Owner'], membership.role), ${cap}) END`;

/**
 * @param alias of the table `projects` in the query
 * @param from number of the first placeholder; there are always two, so that one statement serves all callers
 *
 * Admin and Owner keep their role everywhere. Else, in an open project it is the higher of the global role
 * and the membership's, in a members-only one the membership's alone. A key's own role caps all of it.
 */
export function visibilityOf(caller: Principal, alias: string, from: number): Visibility {
  // Named in every shape, since PostgreSQL can't tell the type of a parameter that a statement does not use.
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

/** Names the shape of the SQL, for prepared statements: one name must always mean one text. */
export function visibilityShape(caller: Principal): string {
  if (caller.type === 'agent') return 'agent';
  return rankOf(caller.role) >= rankOf('Admin')
    ? 'everywhere'
    : `member-${rankOf(caller.roleCap ?? 'Owner')}`;
}
