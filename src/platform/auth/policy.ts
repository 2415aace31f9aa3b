import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension } from '@nestjs/swagger';
import type { Role } from './roles.js';

/** Who may call a route (spec §2). The guard refuses a route that declares none, and the start with it. */
export interface RoutePolicy {
  /** Nobody needs to prove who they are. */
  public: boolean;
  /** Least role of a user; null lets every user pass; 'nobody' none. */
  role: Role | null | 'nobody';
  /** 'self': only the agent that the path names. */
  agents: 'refused' | 'allowed' | 'self';
  /** A session cookie does not count here, only a key. */
  bearerOnly: boolean;
  /** A key does not do here, only a session. */
  sessionOnly: boolean;
  /** How many of these requests a key may have open at once in this process; null: the rate of all requests counts. */
  atOnce: number | null;
  /** The role is the one in the project of the object asked for: the service decides it, with one query. */
  inProject: boolean;
}

const closed: RoutePolicy = {
  public: false,
  role: null,
  agents: 'refused',
  bearerOnly: false,
  sessionOnly: false,
  atOnce: null,
  inProject: false,
};

/** Where the document's builder finds the policy of a route. */
export const POLICY_EXTENSION = 'x-awp-policy';

/** Metadata key of the policy; read by the guard and the start-up check. */
export const ROUTE_POLICY = 'awp:route-policy';

const declare = (policy: Partial<RoutePolicy>) => {
  const whole = { ...closed, ...policy };
  const schemes = [];
  const users = !whole.public && whole.role !== 'nobody';
  if (users && !whole.sessionOnly) schemes.push(ApiBearerAuth('user'));
  if (users && !whole.bearerOnly) schemes.push(ApiCookieAuth('session'));
  if (!whole.public && whole.agents !== 'refused') schemes.push(ApiBearerAuth('agent'));
  return applyDecorators(SetMetadata(ROUTE_POLICY, whole), ApiExtension(POLICY_EXTENSION, whole), ...schemes);
};

/** For everyone, without proof. */
export const Public = () => declare({ public: true });

/** For every user and agent. */
export const AllowAnyone = () => declare({ agents: 'allowed' });

/** For users of at least `role`, everywhere the same. */
export const Allow = (policy: { role: Role | null; agents?: RoutePolicy['agents']; bearerOnly?: boolean }) =>
  declare(policy);

/** For users of at least `role` in the project of the object asked for, and agents that see it where allowed. */
export const AllowInProject = (policy: { role: Role; agents: 'allowed' | 'refused' }) =>
  declare({ ...policy, inProject: true });

/** For the agent whose id (or `me`) stands in the path's `agentId`, and nobody else. */
export const AllowAgentItself = ({ atOnce = null }: { atOnce?: number | null } = {}) =>
  declare({ role: 'nobody', agents: 'self', atOnce });

/** For users who have signed in with their password, in the session that the cookie names. */
export const AllowSession = () => declare({ sessionOnly: true });
