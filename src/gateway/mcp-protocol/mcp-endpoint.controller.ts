import { applyDecorators, Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowAgentItself, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { ReadsOwnBody, RefusesIdempotencyKey } from '../../platform/http/route.decorators.js';
import { McpEndpointService } from './mcp-endpoint.service.js';

const requestExample = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const answerExample = { jsonrpc: '2.0', id: 1, result: { tools: [] } };
const errorExample = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Invalid Request' } };

const frame = (description: string, example: object) => ({
  type: 'object' as const,
  description,
  additionalProperties: true,
  example,
});
const json = (description: string, example: object) => ({
  'application/json': { schema: frame(description, example) },
});
const events = {
  'text/event-stream': { schema: { type: 'string' as const }, example: 'event: message\ndata: {}\n\n' },
};
const rpcError = (status: number, description: string) =>
  ApiResponse({ status, description, content: json('A JSON-RPC error.', errorExample) });

const ofSession = ApiHeader({
  name: 'Mcp-Session-Id',
  required: false,
  description: 'The session that `initialize` began. Only for protocol version 2025-11-25 and earlier.',
});
const noSession = rpcError(
  404,
  'The session was deleted or is not one of this agent. Send `initialize` again.',
);
const malformed = rpcError(400, 'The body is not JSON-RPC, or the request needs a session.');

/** Documents the JSON-RPC frames of the endpoint and their responses. MCP's own methods stand in its specification. */
export const TakesFrames = () =>
  applyDecorators(
    ofSession,
    ApiHeader({
      name: 'MCP-Protocol-Version',
      required: false,
      description: 'The protocol version that the client speaks.',
    }),
    ApiBody({ schema: frame('A JSON-RPC 2.0 message of MCP.', requestExample) }),
    ApiResponse({
      status: 200,
      description: 'The response, as JSON or as an event stream that ends with it.',
      content: { ...json('A JSON-RPC response.', answerExample), ...events },
    }),
    ApiResponse({ status: 202, description: 'A notification was accepted.' }),
    malformed,
    noSession,
    rpcError(406, 'The client accepts neither JSON nor event streams.'),
    rpcError(413, 'The frame has more than `MCP_FRAME_MAX_BYTES`.'),
    rpcError(415, 'The body is not `application/json`.'),
  );

/** Documents the stream of notifications of a session. */
export const StreamsNotices = () =>
  applyDecorators(
    ofSession,
    ApiResponse({
      status: 200,
      description: 'Notifications, for example `notifications/tools/list_changed`.',
      content: events,
    }),
    malformed,
    noSession,
    rpcError(405, 'The request names no session, or too many streams of this agent are open.'),
    rpcError(409, 'The session already has such a stream.'),
  );

/** Documents the end of a session. */
export const EndsSession = () =>
  applyDecorators(
    ofSession,
    ApiResponse({ status: 200, description: 'The session has ended.' }),
    malformed,
    noSession,
  );

/** The HTTP methods of MCP's Streamable HTTP, whose bodies are JSON-RPC. A tools/call is answered before it gets here. */
@ApiTags('Agents at work')
@ApiParam({ name: 'agentId', description: 'The calling agent: its id, or `me`.' })
@Controller(['api/agents/:agentId/mcp', 'mcp'])
export class McpEndpointController {
  constructor(private readonly endpoint: McpEndpointService) {}

  /** Accepts JSON-RPC requests and notifications of an MCP client, in both protocol eras. */
  @Post()
  @RefusesIdempotencyKey()
  @HttpCode(200)
  @TakesFrames()
  @AllowAgentItself({ leaseKeys: true })
  @ReadsOwnBody()
  async post(
    @Caller() agent: AgentPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.serve(agent, request, response);
  }

  /** Streams the notifications of a session. */
  @Get()
  @StreamsNotices()
  @AllowAgentItself({ leaseKeys: true })
  async get(
    @Caller() agent: AgentPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.serve(agent, request, response);
  }

  /** Ends a session. */
  @Delete()
  @RefusesIdempotencyKey()
  @EndsSession()
  @AllowAgentItself({ leaseKeys: true })
  @ReadsOwnBody()
  async delete(
    @Caller() agent: AgentPrincipal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.serve(agent, request, response);
  }
}
