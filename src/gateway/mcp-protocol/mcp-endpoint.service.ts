import type { IncomingMessage, ServerResponse } from 'node:http';
import { classifyInboundRequest, isInitializeRequest } from '@modelcontextprotocol/server';
import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { RequestLimitsService } from '../../platform/authentication/request-limits-and-refusal-records.service.js';
import { Settings } from '../../platform/config/settings.js';
import { BodyBytes } from '../../platform/http/byte-limits.js';
import { ServiceOrigins } from '../../platform/http/origins-and-redirects.js';
import { withMarks } from '../../platform/json/exact-json.js';
import { LostLeasesService } from '../calls/lease-standings-and-refusals.service.js';
import { McpLeasesService } from '../../work/leases/mcp-leases.service.js';
import { AgentEndpointsService, isSubscription } from './agent-endpoints.service.js';
import { AgentSessionsService } from './agent-sessions.service.js';
import { initializeErrorIn, withoutNulls } from './client-frame.js';
import {
  fits,
  FrameError,
  negotiateForm,
  readFrame,
  refuseForeignOrigin,
  sendMethodNotAllowed,
  sendNoForm,
  sendRpcError,
  sendSessionNotFound,
  writeDigits,
} from './endpoint-http.js';
import { InstructionsService } from './instructions.service.js';
import { ListChangesWorker } from './list-changes.worker.js';

/**
 * Serves both eras of MCP at one address (contract §7). The SDK decides the era of a request: one of 2026-07-28 carries
 * its version and needs no session; every other request belongs to a session that begins with `initialize`.
 */
@Injectable()
export class McpEndpointService {
  constructor(
    private readonly sessions: AgentSessionsService,
    private readonly endpoints: AgentEndpointsService,
    private readonly instructions: InstructionsService,
    private readonly origins: ServiceOrigins,
    private readonly watch: ListChangesWorker,
    private readonly limits: RequestLimitsService,
    private readonly lostLeases: LostLeasesService,
    private readonly holding: McpLeasesService,
    private readonly settings: Settings,
    private readonly bodies: BodyBytes,
  ) {}

  /**
   * Every other error is answered as JSON-RPC.
   * @throws {Forbidden} for an Origin that may not use the endpoint
   * @throws {Unauthenticated} for the key of a lease that has ended
   * @throws {TooManyRequests} where the key has sent more messages than it may per minute
   */
  async serve(agent: AgentPrincipal, request: IncomingMessage, response: ServerResponse): Promise<void> {
    refuseForeignOrigin(this.origins, request.headers.origin);
    await this.lostLeases.refuse(agent);
    try {
      const frame =
        request.method === 'POST'
          ? withMarks(
              await readFrame(request, this.settings.limits.mcpFrameMaxBytes, (from, bytes) =>
                this.bodies.hold(from, bytes),
              ),
            )
          : undefined;
      writeDigits(response);
      if (frame !== undefined) await this.limits.countMessages(agent, messagesIn(frame));
      const forms = negotiateForm(request, response);
      if (!fits(forms, request.method === 'GET' || isSubscription(frame))) return sendNoForm(response);
      await this.route(agent, request, response, withoutNulls(frame));
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      // Not all of a body may have been read, so the connection can't serve another request.
      response.setHeader('connection', 'close');
      sendRpcError(response, error.status, error.code, error.message);
    }
  }

  private async route(
    agent: AgentPrincipal,
    request: IncomingMessage,
    response: ServerResponse,
    frame: unknown,
  ): Promise<void> {
    const { kind } = classifyInboundRequest({
      httpMethod: request.method ?? 'GET',
      protocolVersionHeader: single(request.headers['mcp-protocol-version']),
      mcpMethodHeader: single(request.headers['mcp-method']),
      mcpNameHeader: single(request.headers['mcp-name']),
      body: frame,
    });
    if (kind === 'legacy') return this.serveSession(agent, request, response, frame);
    if (isSubscription(frame)) await this.watch.follow(agent.id);
    await this.endpoints.of(agent).serve(agent, request, response, frame);
  }

  private async serveSession(
    agent: AgentPrincipal,
    request: IncomingMessage,
    response: ServerResponse,
    frame: unknown,
  ): Promise<void> {
    const id = single(request.headers['mcp-session-id']);
    if (id !== undefined) return this.serveKnown(id, agent, request, response, frame);
    if (request.method === 'GET') return sendMethodNotAllowed(response, NO_SESSION);
    const error = initializeErrorIn(frame);
    if (error) return sendRpcError(response, 400, INVALID_PARAMS, error.message, error.id);
    if (!isInitializeRequest(frame))
      return sendRpcError(
        response,
        400,
        SERVER_ERROR,
        'Bad Request: send initialize first, then its Mcp-Session-Id with each request',
      );
    if (Buffer.byteLength(JSON.stringify(frame)) > MOST_GREETING_BYTES)
      return sendRpcError(response, 413, SERVER_ERROR, TOO_LONG_GREETING);
    await this.watch.follow(agent.id);
    const opened = await this.sessions.open(
      agent,
      frame.params as Record<string, unknown>,
      await this.instructions.for(agent),
    );
    await opened.serve(agent, request, response, frame);
    if (!opened.begun) await opened.end();
  }

  private async serveKnown(
    id: string,
    agent: AgentPrincipal,
    request: IncomingMessage,
    response: ServerResponse,
    frame: unknown,
  ): Promise<void> {
    if (request.method === 'GET' && this.sessions.isCrowded(id, agent.id))
      return sendMethodNotAllowed(response, CROWDED);
    // A session that is revived has to be notified of changes again.
    await this.watch.follow(agent.id);
    const session = await this.sessions.find(id, agent);
    if (!session) return sendSessionNotFound(response);
    if (request.method !== 'DELETE') await this.holding.renewOfSession(agent, session.name);
    await session.serve(agent, request, response, frame);
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** A frame that is not a JSON-RPC message counts as one. */
function messagesIn(frame: unknown): number {
  return Array.isArray(frame) ? Math.max(1, frame.length) : 1;
}

const SERVER_ERROR = -32_000;
const INVALID_PARAMS = -32_602;
/** A session keeps what its client says about itself for as long as it lives. */
const MOST_GREETING_BYTES = 65_536;
const TOO_LONG_GREETING = `initialize may have at most ${MOST_GREETING_BYTES} bytes`;
const NO_SESSION = 'The stream of notifications belongs to a session: send its Mcp-Session-Id.';
const CROWDED = 'All sessions of this agent have their streams open; this one works without.';
