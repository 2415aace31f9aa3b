import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { classifyInboundRequest, isInitializeRequest } from '@modelcontextprotocol/server';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { ListWatch } from './changes/list-watch.js';
import { Instructions } from './instructions.js';
import { OriginRule } from './origin-rule.js';
import { FrameFault, readFrame } from './protocol/frame.js';
import { sendRpcError } from './protocol/rpc-error.js';
import { AgentSessions } from './sessions/agent-sessions.js';
import { isSubscription } from './stateless/agent-endpoint.js';
import { AgentEndpoints } from './stateless/agent-endpoints.js';

/**
 * One address for both eras of MCP (spec §7). Which one a request belongs to is the SDK's own decision: a
 * request of 2026-07-28 carries its version and stands alone; all else belongs to a session that begins with
 * `initialize`.
 */
@Injectable()
export class McpEndpoint {
  constructor(
    private readonly sessions: AgentSessions,
    private readonly endpoints: AgentEndpoints,
    private readonly instructions: Instructions,
    private readonly origins: OriginRule,
    private readonly watch: ListWatch,
  ) {}

  /** @throws {Forbidden} for the Origin of someone else; all that is wrong after that is answered as JSON-RPC */
  async serve(agent: AgentPrincipal, request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.origins.enforce(request.headers.origin);
    try {
      const frame = request.method === 'POST' ? await readFrame(request) : undefined;
      await this.route(agent, request, response, frame);
    } catch (fault) {
      if (!(fault instanceof FrameFault)) throw fault;
      // Not all of a body may have been read, so the connection can't serve another request.
      response.setHeader('connection', 'close');
      sendRpcError(response, fault.status, fault.code, fault.message);
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
    const session = id === undefined ? null : this.sessions.find(id, agent);
    if (session) return session.serve(agent, request, response, frame);
    if (id !== undefined)
      return sendRpcError(response, 404, SESSION_NOT_FOUND, 'Session not found: initialize anew');
    if (!isInitializeRequest(frame))
      return sendRpcError(
        response,
        400,
        SERVER_ERROR,
        'Bad Request: send initialize first, then its Mcp-Session-Id with each request',
      );
    await this.watch.follow(agent.id);
    const opened = await this.sessions.open(agent, await this.instructions.for(agent));
    await opened.serve(agent, request, response, frame);
    if (!opened.begun) await opened.end();
  }
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

const SERVER_ERROR = -32_000;
const SESSION_NOT_FOUND = -32_001;
