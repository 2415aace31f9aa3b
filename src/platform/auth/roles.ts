/** The ladder of roles, lowest first (spec §2). */
export const roles = ['Viewer', 'Editor', 'Admin', 'Owner'] as const;
export type Role = (typeof roles)[number];

/** 1 for Viewer to 4 for Owner; the same numbers that the SQL of visibility works with. */
export function rankOf(role: Role): number {
  return roles.indexOf(role) + 1;
}

export function isAtLeast(role: Role, threshold: Role): boolean {
  return rankOf(role) >= rankOf(threshold);
}

/** The lower of two roles; a missing cap leaves the role as it is. */
export function lowerOf(role: Role, cap: Role | null): Role {
  return cap !== null && rankOf(cap) < rankOf(role) ? cap : role;
}
