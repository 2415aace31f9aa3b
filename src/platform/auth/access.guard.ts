import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { CARRIES_SECRET } from '../http/routes/carries-secret.decorator.js';
import { HttpsRule } from '../http/routes/https-rule.js';
import { isReservedProjectId, KnownRoutes } from '../http/routes/known-routes.js';
import { currentOrigin } from '../journal/journal-context.js';
import { requireAgentItself } from './agent-itself.js';
import { AgentDisabled, Forbidden, RoleTooLow, SessionNotEnough, Unauthenticated } from './auth.errors.js';
import { RequestLimitsService } from './limits/request-limits.service.js';
import { ROUTE_POLICY, type RoutePolicy } from './policy.js';
import { actorOf, type AgentPrincipal, type Principal, type UserPrincipal } from './principal.js';
import { isAtLeast } from './roles.js';
import { CsrfRuleService } from './sessions/csrf-rule.service.js';
import { SessionAuthenticationService } from './sessions/session-authentication.service.js';
import { SessionCookieService } from './sessions/session-cookie.service.js';

/** Methods that change nothing. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

const BearerGuard = AuthGuard('bearer');

/**
 * Guards every route of the service (contract §2.3). It refuses by default and runs before the body is read. It decides
 * what does not depend on the requested object: who calls, and whether the caller's role could pass at all.
 */
@Injectable()
export class AccessGuard extends BearerGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly routes: KnownRoutes,
    private readonly https: HttpsRule,
    private readonly cookie: SessionCookieService,
    private readonly sessions: SessionAuthenticationService,
    private readonly csrf: CsrfRuleService,
    private readonly limits: RequestLimitsService,
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
    else refuseAgent(request.user, policy, request);
    return true;
  }

  /**
   * Authenticates by key or by cookie. With both, only the key counts: an invalid key is 401 in spite of a valid
   * cookie.
   */
  private async authenticate(
    context: ExecutionContext,
    request: Request & { user: Principal },
    policy: RoutePolicy,
  ): Promise<void> {
    const token = request.headers.authorization === undefined ? this.cookie.tokenIn(request) : null;
    if (token !== null && policy.bearerOnly) throw new SessionNotEnough();
    if (token === null) await super.canActivate(context);
    else request.user = await this.sessions.principalOf(token);
    const origin = currentOrigin();
    if (origin) origin.actor = actorOf(request.user);
    if (token !== null) this.csrf.enforce(request);
  }

  override handleRequest<T>(error: unknown, principal: T | false): T {
    if (error) throw error;
    if (!principal) throw new Unauthenticated();
    return principal;
  }
}

function refuseUser(user: UserPrincipal, policy: RoutePolicy): void {
  if (user.elevated && !policy.bearerOnly)
    throw new Forbidden('A key of elevated mode opens only the routes below /api/mcp. Use the session here.');
  if (policy.sessionOnly && user.sessionId === null)
    throw new Forbidden(
      'This needs a session: sign in with a password and send the session cookie without a key.',
    );
  if (policy.role === 'agents only')
    throw new Forbidden('Only the agent itself may do this. Send its own key.');
  if (policy.role === null) return;
  // A role in the project may raise a user above the global role, but nothing raises a key above the role of the key.
  const highest = policy.inProject ? (user.roleCap ?? 'Owner') : user.role;
  if (!isAtLeast(highest, policy.role)) throw new RoleTooLow(policy.role);
}

function refuseAgent(agent: AgentPrincipal, policy: RoutePolicy, request: Request): void {
  if (agent.lease && !policy.leaseKeys)
    throw new Forbidden("A lease key opens the MCP endpoint only. Send the agent's own key here.");
  if (policy.agents === 'refused') throw new Forbidden('Agents may not do this. Ask a person.');
  if (policy.agents === 'self') requireAgentItself(agent, request.params['agentId']);
  if (agent.disabled && !policy.whileDisabled && !READING.has(request.method)) throw new AgentDisabled();
}
