import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { HttpsRule } from '../http/https-rule-and-proxies.js';
import { ServiceOrigins } from '../http/origins-and-redirects.js';
import { CARRIES_SECRET } from '../http/route.decorators.js';
import { isReservedProjectId, KnownRoutes } from '../http/routes.js';
import { currentOrigin } from '../journal/journal.service.js';
import {
  AgentDisabled,
  Forbidden,
  RoleTooLow,
  SessionNotEnough,
  Unauthenticated,
} from './authentication.errors.js';
import { requireAgentItself, ROUTE_POLICY, type RoutePolicy } from './route-policies-and-agent-itself.js';
import {
  actorOf,
  type AgentPrincipal,
  isAtLeast,
  type Principal,
  type UserPrincipal,
} from './principals-and-roles.js';
import { RequestLimitsService } from './request-limits-and-refusal-records.service.js';
import {
  refuseForeignPages,
  SessionAuthenticationService,
  SessionCookieService,
} from './session-cookie-authentication.service.js';

/** Stops the start when a route declares no policy, so that no route can be left open by mistake (contract §2.3). */
@Injectable()
export class PolicyCheckService implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    const open = this.discovery.getControllers().flatMap(({ metatype }) => this.openRoutesOf(metatype));
    if (open.length > 0)
      throw new Error(
        `These routes declare no policy: ${open.join(', ')}. Add a decorator of policy.ts to each.`,
      );
  }

  private openRoutesOf(controller: unknown): string[] {
    if (typeof controller !== 'function') return [];
    const prototype = controller.prototype as Record<string, object>;
    return this.scanner
      .getAllMethodNames(prototype)
      .filter((name) => Reflect.hasMetadata(METHOD_METADATA, prototype[name]!))
      .filter((name) => !Reflect.hasMetadata(ROUTE_POLICY, prototype[name]!))
      .map((name) => `${controller.name}.${name}`);
  }
}

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
    private readonly origins: ServiceOrigins,
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
    if (token !== null) refuseForeignPages(this.origins, request);
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
