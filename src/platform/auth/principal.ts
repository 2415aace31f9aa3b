import type { Actor } from '../journal/journal-context.js';
import type { Role } from './roles.js';

/** Who calls, whichever way it was proved: the same for a key and a session (spec §2). */
export interface UserPrincipal {
  type: 'user';
  id: string;
  name: string;
  email: string;
  /** The user's role, narrowed by the key that was used. */
  role: Role;
  /** What the key was narrowed to; a role in a project is narrowed by it too. */
  roleCap: Role | null;
  keyId: string | null;
  sessionId: string | null;
  keyExpiresAt: Date | null;
}

export interface AgentPrincipal {
  type: 'agent';
  id: string;
  name: string;
  disabled: boolean;
  keyId: string;
  keyExpiresAt: Date | null;
}

export type Principal = UserPrincipal | AgentPrincipal;

export function actorOf(principal: Principal): Actor {
  return { type: principal.type, id: principal.id, name: principal.name };
}
