import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { CARRIES_SECRET } from '../http/carries-secret.decorator.js';
import { HttpsRule } from '../http/https-rule.js';
import { isReservedProjectId, KnownRoutes } from '../http/known-routes.js';
import { currentOrigin } from '../journal/journal-context.js';
import { Forbidden, RoleTooLow, Unauthenticated } from './auth.errors.js';
import { RequestLimits } from './limits/request-limits.js';
import { ROUTE_POLICY, type RoutePolicy } from './policy.js';
import { actorOf, type AgentPrincipal, type Principal, type UserPrincipal } from './principal.js';
import { isAtLeast } from './roles.js';
import { CsrfRule } from './sessions/csrf-rule.js';
import { SessionAuthentication } from './sessions/session-authentication.js';
import { SessionCookie } from './sessions/session-cookie.js';

const BearerGuard = AuthGuard('bearer');

/**
 * The one guard of the service (spec §2). It refuses by default; it runs before the body is read, and does
 * what can be decided without the object asked for: who calls, and the least role that could pass.
 */
@Injectable()
export class AccessGuard extends BearerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly routes: KnownRoutes,
    private readonly https: HttpsRule,
    private readonly cookie: SessionCookie,
    private readonly sessions: SessionAuthentication,
    private readonly csrf: CsrfRule,
    private readonly limits: RequestLimits,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & { user: Principal }>();
    const handler = context.getHandler();
    if (this.reflector.get<string | true | undefined>(CARRIES_SECRET, handler) === true)
      this.https.enforce(request);
    if (isReservedProjectId(request.params['projectId']))
      throw this.routes.refusalOf(request.method, request.path);
    const policy = this.reflector.get<RoutePolicy | undefined>(ROUTE_POLICY, handler);
    if (!policy) throw new Forbidden('This route has no policy.');
    if (policy.public) return true;
    await this.authenticate(context, request, policy);
    await this.limits.enforce(request.user, policy, context.switchToHttp().getResponse());
    if (request.user.type === 'user') refuseUser(request.user, policy);
    else refuseAgent(request.user, policy, request.params['agentId']);
    return true;
  }

  /** One caller for both ways to prove it: with a key and a cookie the key counts, and where it is wrong nothing does. */
  private async authenticate(
    context: ExecutionContext,
    request: Request & { user: Principal },
    policy: RoutePolicy,
  ): Promise<void> {
    const byKey = policy.bearerOnly || request.headers.authorization !== undefined;
    const token = byKey ? null : this.cookie.tokenIn(request);
    if (token === null) await super.canActivate(context);
    else request.user = await this.sessions.principalOf(token);
    const origin = currentOrigin();
    if (origin) origin.actor = actorOf(request.user);
    if (token !== null) this.csrf.enforce(request);
  }

  override handleRequest<T>(fault: unknown, principal: T | false): T {
    if (fault) throw fault;
    if (!principal) throw new Unauthenticated();
    return principal;
  }
}

function refuseUser(user: UserPrincipal, policy: RoutePolicy): void {
  if (policy.sessionOnly && user.sessionId === null)
    throw new Forbidden('Only somebody who has signed in may do this, with the session cookie alone.');
  if (policy.role === 'nobody') throw new Forbidden('Only the agent itself may do this, with its own key.');
  if (policy.role === null) return;
  // A role in the project may lift a user above the global role, but nothing lifts a key above its own.
  const highest = policy.inProject ? (user.roleCap ?? 'Owner') : user.role;
  if (!isAtLeast(highest, policy.role)) throw new RoleTooLow(policy.role);
}

function refuseAgent(agent: AgentPrincipal, policy: RoutePolicy, named: string | string[] | undefined): void {
  if (policy.agents === 'refused') throw new Forbidden('Agents may not do this; ask a person.');
  if (policy.agents === 'self' && named !== undefined && named !== 'me' && named !== agent.id)
    throw new Forbidden('An agent may do this for itself only.');
}
