/** The roles of users, lowest first (contract §2.2). */
export const roles = ['Viewer', 'Editor', 'Admin', 'Owner'] as const;
export type Role = (typeof roles)[number];

/** Returns 1 for Viewer to 4 for Owner, the same numbers that the SQL of visibility uses. */
export function rankOf(role: Role): number {
  return roles.indexOf(role) + 1;
}

export function isAtLeast(role: Role, threshold: Role): boolean {
  return rankOf(role) >= rankOf(threshold);
}

/** Returns the lower of two roles, or `role` where there is no cap. */
export function lowerOf(role: Role, cap: Role | null): Role {
  return cap !== null && rankOf(cap) < rankOf(role) ? cap : role;
}
