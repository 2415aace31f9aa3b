import type { Actor } from '../journal/journal.service.js';

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

/** An authenticated user. It has the same shape for a key and a session (contract §2.1). */
export interface UserPrincipal {
  type: 'user';
  id: string;
  name: string;
  email: string;
  /** The user's role, reduced to that of the key in use. */
  role: Role;
  /** The role that the key is limited to, which limits a role in a project too; null where it has no limit. */
  roleCap: Role | null;
  keyId: string | null;
  sessionId: string | null;
  /** How the session in use began; null for a key. */
  signedInWith: 'password' | 'oidc' | null;
  /** The key in use was made by elevated mode and opens the routes for keys only (contract §2.6). */
  elevated: boolean;
  keyExpiresAt: Date | null;
  /** Who stands in the records in place of the user: a schedule, which has the user's rights (contract §5.11). */
  recordedAs?: Actor;
}

/** Returns the caller of background work: a user with the present role, reduced to `roleCap`, and without a key or a session. */
export function inBackground(
  { id, name, email, role }: Pick<UserPrincipal, 'id' | 'name' | 'email' | 'role'>,
  roleCap: Role | null = null,
): UserPrincipal {
  return {
    type: 'user',
    id,
    name,
    email,
    role: lowerOf(role, roleCap),
    roleCap,
    keyId: null,
    sessionId: null,
    signedInWith: null,
    elevated: false,
    keyExpiresAt: null,
  };
}

/** A lease of an issue that a lease key stands for (contract §7.9). */
export interface LeaseOfKey {
  issueId: string;
  token: number;
}

/** An authenticated agent. */
export interface AgentPrincipal {
  type: 'agent';
  id: string;
  name: string;
  disabled: boolean;
  /** With the agent's own key it uses the platform's tools only. */
  toolsRequireLease: boolean;
  /** The lease whose key the caller sent; null for a key of the agent itself. */
  lease: LeaseOfKey | null;
  keyId: string;
  keyExpiresAt: Date | null;
}

/** An agent that sent the key of a lease. */
export type LeasePrincipal = AgentPrincipal & { lease: LeaseOfKey };

/** Returns whether the caller sent the key of a lease. */
export function isLeaseHolder(agent: AgentPrincipal): agent is LeasePrincipal {
  return agent.lease !== null;
}

export type Principal = UserPrincipal | AgentPrincipal;

export function actorOf(principal: Principal): Actor {
  if (principal.type === 'user' && principal.recordedAs) return principal.recordedAs;
  return { type: principal.type, id: principal.id, name: principal.name };
}
