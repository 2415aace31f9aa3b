import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiResponse } from '@nestjs/swagger';

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
const fault = (status: number, description: string) =>
  ApiResponse({ status, description, content: json('A JSON-RPC error.', errorExample) });

const ofSession = ApiHeader({
  name: 'Mcp-Session-Id',
  required: false,
  description: 'The session that `initialize` began; 2025-11-25 and before.',
});
const noSession = fault(404, 'The session has ended, or is not the agent’s: initialize anew.');
const malformed = fault(400, 'No JSON-RPC, or a request that needs a session.');

/** How the document tells of a JSON-RPC frame and its answers; those of MCP itself stand in its specification. */
export const TakesFrames = () =>
  applyDecorators(
    ofSession,
    ApiHeader({
      name: 'MCP-Protocol-Version',
      required: false,
      description: 'The revision that the client speaks.',
    }),
    ApiBody({ schema: frame('A JSON-RPC 2.0 message of MCP.', requestExample) }),
    ApiResponse({
      status: 200,
      description: 'The answer, as JSON or as a stream of events that ends with it.',
      content: { ...json('A JSON-RPC answer.', answerExample), ...events },
    }),
    ApiResponse({ status: 202, description: 'A notice was taken.' }),
    ...[malformed, noSession, fault(406, 'The client takes neither JSON nor events.')],
    ...[fault(413, 'More than 4 MiB.'), fault(415, 'Not `application/json`.')],
  );

/** The stream on which the service tells a session of changes. */
export const StreamsNotices = () =>
  applyDecorators(
    ofSession,
    ApiResponse({
      status: 200,
      description: 'Notices, such as `notifications/tools/list_changed`.',
      content: events,
    }),
    ...[malformed, noSession, fault(409, 'The session has such a stream already.')],
  );

/** The end of a session. */
export const EndsSession = () =>
  applyDecorators(
    ofSession,
    ApiResponse({ status: 200, description: 'The session has ended.' }),
    ...[malformed, noSession],
  );
