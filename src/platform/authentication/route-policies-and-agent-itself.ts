import { applyDecorators, createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiExtension } from '@nestjs/swagger';
import { Forbidden } from './authentication.errors.js';
import type { AgentPrincipal, Principal, Role } from './principals-and-roles.js';

/**
 * Returns the caller where it is an agent, and the one that the path names.
 * @param named the path's `agentId`; undefined where the path names no agent
 * @throws {Forbidden}
 */
export function requireAgentItself(caller: Principal, named: string | string[] | undefined): AgentPrincipal {
  if (caller.type !== 'agent') throw new Forbidden('Only the agent itself may do this. Send its own key.');
  if (named !== undefined && named !== 'me' && named !== caller.id)
    throw new Forbidden('An agent may do this only for itself.');
  return caller;
}

/** Injects the caller of the request, as the guard authenticated it. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<{ user: Principal }>().user,
);

/** States who may call a route (contract §2). The service does not start when a route declares no policy. */
export interface RoutePolicy {
  /** The route needs no authentication. */
  public: boolean;
  /** The least role of a user. null admits every user, 'agents only' admits none. */
  role: Role | null | 'agents only';
  /** 'self' admits only the agent that the path names. */
  agents: 'refused' | 'allowed' | 'self';
  /** Whether the key of a lease opens the route (contract §7.9). */
  leaseKeys: boolean;
  /** Whether a disabled agent may send a request that is not a read. */
  whileDisabled: boolean;
  /** Only a key is accepted; a session cookie is ignored. These are the only routes that an elevated key opens. */
  bearerOnly: boolean;
  /** Only a session is accepted; a key is refused. */
  sessionOnly: boolean;
  /**
   * The open requests of one key to such routes are counted by themselves, and are not subject to the rate per minute:
   * an agent calls them all the time.
   */
  frequent: boolean;
  /**
   * The role is the one in the project of the requested object. The service behind the route decides it, with one
   * query.
   */
  inProject: boolean;
}

const closed: RoutePolicy = {
  public: false,
  role: null,
  agents: 'refused',
  leaseKeys: false,
  whileDisabled: false,
  bearerOnly: false,
  sessionOnly: false,
  frequent: false,
  inProject: false,
};

/** The OpenAPI extension from which the builder of the document reads the policy of a route. */
export const POLICY_EXTENSION = 'x-awp-policy';

/** The metadata key of the policy, which the guard and the check at start read. */
export const ROUTE_POLICY = 'awp:route-policy';

const declare = (policy: Partial<RoutePolicy>) => {
  const whole = { ...closed, ...policy };
  const schemes = [];
  const users = !whole.public && whole.role !== 'agents only';
  if (users && !whole.sessionOnly) schemes.push(ApiBearerAuth('user'));
  if (users && !whole.bearerOnly) schemes.push(ApiCookieAuth('session'));
  if (!whole.public && whole.agents !== 'refused') schemes.push(ApiBearerAuth('agent'));
  return applyDecorators(SetMetadata(ROUTE_POLICY, whole), ApiExtension(POLICY_EXTENSION, whole), ...schemes);
};

/** Admits every caller without authentication. */
export const Public = () => declare({ public: true });

/** Admits every user and agent. */
export const AllowAnyone = () => declare({ agents: 'allowed' });

/** Admits users whose global role is at least `role`. */
export const Allow = (policy: { role: Role | null; agents?: RoutePolicy['agents']; bearerOnly?: boolean }) =>
  declare(policy);

/**
 * Admits users whose role in the project of the requested object is at least `role`, and, where allowed, agents that
 * see it.
 */
export const AllowInProject = (policy: { role: Role; agents: 'allowed' | 'refused' }) =>
  declare({ ...policy, inProject: true });

/**
 * Admits only the agent whose id (or `me`) stands in the path's `agentId`. A disabled agent passes too: these routes
 * report that it is disabled, and decide for themselves what it may still do.
 */
export const AllowAgentItself = ({
  frequent = false,
  leaseKeys = false,
}: {
  frequent?: boolean;
  leaseKeys?: boolean;
} = {}) => declare({ role: 'agents only', agents: 'self', frequent, leaseKeys, whileDisabled: true });

/** Admits agents that see the project of the requested object. The service behind the route decides what is theirs. */
export const AllowAgentInProject = () => declare({ role: 'agents only', agents: 'allowed', inProject: true });

/** Admits users who have signed in with their password, by the session that the cookie names. */
export const AllowSession = ({ role = null }: { role?: Role | null } = {}) =>
  declare({ role, sessionOnly: true });
