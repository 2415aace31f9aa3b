import type { Me, Role } from '../api/types';

const ladder: readonly Role[] = ['Viewer', 'Editor', 'Admin', 'Owner'];

/** Whether someone has a role or one above it. The service decides; this only hides what it would refuse. */
export function hasRole(me: Me, least: Role): boolean {
  return me.role !== undefined && ladder.indexOf(me.role) >= ladder.indexOf(least);
}

/** The roles that someone may give: their own and those below it, the narrowest first. */
export function rolesUpTo(me: Me): readonly Role[] {
  return ladder.filter((role) => hasRole(me, role));
}
