import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError } from '@modelcontextprotocol/client';
import { withNumbers } from '../../../platform/json/exact-json.js';
import type { AnswerMask } from './answer-mask.js';
import { refusedCredentials, McpError, McpUnavailable } from './mcp-errors.js';
import {
  causesOf,
  OutboundError,
  type OutboundErrorKind,
} from '../../../platform/http/outbound/outbound-error.js';

/**
 * What an error of the SDK, of fetch or of a transport means to the caller. The words of a server or of a
 * library get through only as the message of a JSON-RPC error, masked: they may hold what was sent.
 */
export function asCallFailure(error: unknown, mask: AnswerMask): McpError | McpUnavailable {
  const own = causesOf(error).find((cause) => cause instanceof McpUnavailable || cause instanceof McpError);
  if (own instanceof McpError) return new McpError(own.code, mask.text(own.message), mask.value(own.data));
  if (own) return own;
  const outbound = OutboundError.behind(error);
  if (outbound) return new McpUnavailable(OUTBOUND_KINDS[outbound.kind], outbound.message);
  if (error instanceof ProtocolError) {
    if (error.data instanceof McpUnavailable) return error.data;
    return new McpError(error.code, mask.text(error.message), mask.value(withNumbers(error.data)));
  }
  if (error instanceof SdkHttpError) return ofStatus(error.status);
  if (error instanceof SseError) return error.code === undefined ? UNREACHABLE : ofStatus(error.code);
  if (error instanceof SdkError) return ofSdk(error);
  return new McpUnavailable('bad_answer', 'The server gave an answer that could not be understood.');
}

function ofStatus(status: number): McpUnavailable {
  if (status === 401 || status === 403) return refusedCredentials(status);
  if (status === 429)
    return new McpUnavailable(
      'busy',
      'The server says that it is asked too often. Try again in a minute.',
      60,
    );
  if (status === 404)
    return new McpUnavailable(
      'session_lost',
      'There is no MCP endpoint at this address, or it has forgotten this session (HTTP 404).',
    );
  return new McpUnavailable(
    'unreachable',
    `The server answered HTTP ${status} instead of MCP. Try again later.`,
  );
}

function ofSdk(error: SdkError): McpError | McpUnavailable {
  switch (error.code) {
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return new McpUnavailable(
        'died',
        'The connection to the server ended before it responded. Try again: the server is started again.',
      );
    case SdkErrorCode.RequestTimeout:
      return new McpUnavailable('timed_out', 'The server did not answer in time.');
    case SdkErrorCode.MethodNotSupportedByProtocolVersion:
      return new McpError(-32601, 'The protocol version of this server has no such method.');
    case SdkErrorCode.UnsupportedResultType:
      return new McpUnavailable(
        'bad_answer',
        'The server asks for input by a person, which an agent cannot give here.',
      );
    case SdkErrorCode.EraNegotiationFailed:
      return new McpUnavailable(
        'unreachable',
        'The server did not answer as an MCP server. Check its address, and that it is up.',
      );
    default:
      return new McpUnavailable('bad_answer', 'The server gave an answer that MCP does not allow.');
  }
}

const OUTBOUND_KINDS: Record<OutboundErrorKind, McpUnavailable['kind']> = {
  refused_address: 'unreachable',
  bad_redirect: 'unreachable',
  too_large: 'too_large',
  timed_out: 'timed_out',
  unreachable: 'unreachable',
};

const UNREACHABLE = new McpUnavailable(
  'unreachable',
  'The server could not be reached. Check its address, and that it is up.',
);
