import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { partsOf } from '../../mcp/access/advertised-name.js';
import { KeyAuthenticationService } from '../../platform/authentication/key-format-and-authentication.service.js';
import { requireAgentItself } from '../../platform/authentication/route-policies-and-agent-itself.js';
import { actorOf, type Principal } from '../../platform/authentication/principals-and-roles.js';
import { RequestLimitsService } from '../../platform/authentication/request-limits-and-refusal-records.service.js';
import { Settings } from '../../platform/config/settings.js';
import { BodyBytes } from '../../platform/http/byte-limits.js';
import { dashboardHeaders, ServiceOrigins } from '../../platform/http/origins-and-redirects.js';
import { currentOrigin } from '../../platform/journal/journal.service.js';
import { CallRightsService } from '../calls/call-rights-and-decisions.service.js';
import { CallExchangesService } from './call-exchanges.service.js';
import { toolCallIn } from './client-frame.js';
import { FrameError, negotiateForm, readFrame, refuseForeignOrigin } from './endpoint-http.js';

const ENDPOINT = /^(?:https?:\/\/[^/?#]+)?\/(?:mcp|api\/agents\/([^/?#]+)\/mcp)\/?(?:\?|$)/;
const AGENT_KEY = /^Bearer (awp_[al]_\S+)$/i;

/** The endpoint that a request is sent to. */
export interface Target {
  /** The template of the route, for logs and metrics. */
  route: string;
  /** The agent that the path names: an id or `me`; undefined for /mcp. */
  agentId: string | undefined;
}

/** Returns the endpoint of a POST to /mcp or /api/agents/{agentId}/mcp, matched as Express matches; null for all else. */
export function targetOf({ method, url = '' }: IncomingMessage): Target | null {
  if (method !== 'POST') return null;
  const match = ENDPOINT.exec(url);
  if (!match) return null;
  const [, named] = match;
  if (named === undefined) return { route: '/mcp', agentId: undefined };
  const agentId = decoded(named);
  return agentId === null ? null : { route: '/api/agents/:agentId/mcp', agentId };
}

/** Returns the key of an agent or a lease in the Authorization header; undefined where it carries none. */
export function agentKeyIn({ headers }: IncomingMessage): string | undefined {
  return AGENT_KEY.exec(headers.authorization ?? '')?.[1];
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null; // Express answers a path that does not decode.
  }
}

/** Answers a request with the problem that an error stands for. */
export type Refuse = (error: unknown, request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The fields of a request that logs, metrics and the journal read: who calls, and the template of its route. */
type Marked = IncomingMessage & { user?: Principal; route?: { path: string } };

/** A POST to the endpoint with an agent's key. */
interface Incoming {
  key: string;
  target: Target;
  request: Marked;
  response: ServerResponse;
}

/** The largest body in bytes that is read before its sender is authenticated. */
const SMALL = 65_536;

/**
 * The one way in for tools/call, of both protocol eras. It runs before Express, whose router and guard cost more
 * processor time than the call (docs/decisions). The checks and their order are those of the endpoint's route: key,
 * agent, Origin, rate, frame. A request that turns out not to be a tools/call goes on to that route.
 */
@Injectable()
export class ToolCallsMiddleware {
  constructor(
    private readonly keys: KeyAuthenticationService,
    private readonly rights: CallRightsService,
    private readonly exchanges: CallExchangesService,
    private readonly limits: RequestLimitsService,
    private readonly origins: ServiceOrigins,
    private readonly settings: Settings,
    private readonly bodies: BodyBytes,
  ) {}

  /** @param refuse sends errors in the form of all other routes */
  before(refuse: Refuse) {
    return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
      const target = targetOf(request);
      const key = target && agentKeyIn(request);
      // A request without an agent's key cannot call a tool. The guard of the route refuses it. Neither can one with an
      // idempotency key, which the route refuses.
      if (!target || !key || request.headers['idempotency-key'] !== undefined) return next();
      void this.answer(refuse, { key, target, request, response }, next);
    };
  }

  private async answer(refuse: Refuse, incoming: Incoming, next: () => void): Promise<void> {
    const { request, response } = incoming;
    try {
      if (await this.serve(incoming)) return;
    } catch (error) {
      return refuse(error, request, response);
    }
    next();
  }

  /** Returns false where the request is not a tools/call; then nothing was done and nothing sent. */
  private async serve({ key, target, request, response }: Incoming): Promise<boolean> {
    request.route = { path: target.route };
    for (const [name, value] of dashboardHeaders(request.headers.origin, this.origins))
      response.setHeader(name, value);
    const forms = negotiateForm(request, response);
    const frame = await this.frameOf(key, request);
    const call = toolCallIn(request.headers, frame);
    if (!call || (!forms.json && !forms.stream)) return false;
    const { caller, ...right } = await this.rights.readWithKey(key, partsOf(call.params.name));
    mark(request, caller);
    const agent = requireAgentItself(caller, target.agentId);
    refuseForeignOrigin(this.origins, request.headers.origin);
    this.limits.open(agent, response);
    await this.limits.countMessages(agent, 1);
    await this.exchanges.serve({ call, agent, right, forms }, request, response);
    return true;
  }

  /**
   * Reads the frame; undefined for a body without one, which the route rejects. A small body that arrived with its
   * headers is read at once; before any other is waited for, its sender has to be authenticated.
   * @throws {Unauthenticated}
   */
  private async frameOf(key: string, request: Marked): Promise<unknown> {
    const read = () =>
      readFrame(request, this.settings.limits.mcpFrameMaxBytes, (from, bytes) =>
        this.bodies.hold(from, bytes),
      );
    const isSmall = Number(request.headers['content-length']) <= SMALL;
    const begun = isSmall ? read() : null;
    if (!begun || !(await hasArrived(request))) mark(request, await this.keys.principalOf(key));
    try {
      return await (begun ?? read());
    } catch (error) {
      if (error instanceof FrameError) return undefined;
      throw error;
    }
  }
}

/** True where the body came with the headers; known once the parser has gone through the bytes that are there. */
function hasArrived(request: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    request.once('end', () => resolve(true));
    setImmediate(() => resolve(request.complete));
  });
}

function mark(request: Marked, caller: Principal): void {
  request.user = caller;
  const origin = currentOrigin();
  if (origin) origin.actor = actorOf(caller);
}
