import {
  type JSONRPCErrorResponse,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import {
  causesOf,
  OutboundError,
  type OutboundErrorKind,
} from '../../../platform/http/outbound-addresses-and-errors.js';
import { withNumbers } from '../../../platform/json/exact-json.js';
import type { AnswerMask } from './answer-mask.js';

/**
 * A JSON-RPC error that the server itself answered: code, message and data are its own, secrets masked. A code that is no
 * whole number of JavaScript becomes -32603: a client takes a response with it for none, and waits for ever.
 */
export class McpError extends Error {
  readonly code: number;

  constructor(
    code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'McpError';
    this.code = Number.isSafeInteger(code) ? code : ProtocolErrorCode.InternalError;
  }
}

/** Why a server gave no answer. */
export type UnavailableKind =
  | 'start_failed'
  | 'died'
  | 'stopped'
  | 'outdated'
  | 'timed_out'
  | 'cancelled'
  | 'busy'
  /** The caller has as many calls running as it may have. */
  | 'own_calls'
  | 'too_large'
  | 'memory'
  | 'disk'
  | 'bad_answer'
  | 'unreachable'
  | 'credentials_refused'
  | 'sign_in_failed'
  | 'sign_in_needed'
  | 'session_lost';

/**
 * The server gave no usable answer. `reason` is a sentence for an agent: what happened and what to do now,
 * without secrets, paths or the server's own words.
 */
export class McpUnavailable extends Error {
  readonly reason: string;

  constructor(
    readonly kind: UnavailableKind,
    reason: string,
    /** When trying again makes sense, where that is known. */
    readonly retryAfterSeconds?: number,
  ) {
    super(reason);
    this.name = 'McpUnavailable';
    this.reason = reason;
  }
}

/** 401 or 403: the server is there, but does not take what it was sent. */
export function refusedCredentials(status: number): McpUnavailable {
  return new McpUnavailable(
    'credentials_refused',
    `The server refused the credentials (HTTP ${status}). An admin has to enter valid ones.`,
  );
}

/** Whether a server, or the authorization server before it, did not take the credentials. */
export function isRefusal(error: unknown): error is McpUnavailable {
  return isSignIn(error) || (error instanceof McpUnavailable && error.kind === 'credentials_refused');
}

/** Whether there is no access token for a server, because the service or a person is not signed in; the message says why. */
export function isSignIn(error: unknown): error is McpUnavailable {
  return (
    error instanceof McpUnavailable && (error.kind === 'sign_in_failed' || error.kind === 'sign_in_needed')
  );
}

/** Whether what a connection works with has been replaced, so that a new one may do what it could not. */
export function isOutdated(error: unknown): error is McpUnavailable {
  return error instanceof McpUnavailable && error.kind === 'outdated';
}

/** The steps of getting to know a server, in their order. */
export type StartPhase = 'spawn' | 'handshake' | 'list';

/** A server could not be started, greeted or asked for its tools; for people, so with its last words, masked. */
export class McpStartFailure extends Error {
  constructor(
    readonly phase: StartPhase,
    message: string,
    readonly stderrTail: string,
    /** True for 401 and 403, and where the service could not sign in: the credentials are not taken. */
    readonly credentialsRefused = false,
    /** The failure of a request behind this one. */
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'McpStartFailure';
  }
}

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
  if (error instanceof SdkError) return ofSdk(error, mask);
  return (
    ofVersion(error) ??
    new McpUnavailable('bad_answer', 'The server gave an answer that could not be understood.')
  );
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

function ofSdk(error: SdkError, mask: AnswerMask): McpError | McpUnavailable {
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
    case SdkErrorCode.InvalidResult:
      return new McpUnavailable('bad_answer', mask.text(ofInvalidResult(error.message)));
    default:
      return new McpUnavailable('bad_answer', NOT_MCP);
  }
}

const NOT_MCP = 'The server gave an answer that MCP does not allow.';

/** Names the member of an answer that is wrong: the SDK's message is the list of what its schema found. */
function ofInvalidResult(message: string): string {
  const [, method, found] = /^Invalid result for ([\w/]+): (\[.+\])$/s.exec(message) ?? [];
  const issue = method && ISSUES.safeParse(jsonOf(found!)).data?.[0];
  if (!issue) return NOT_MCP;
  const member = issue.path.join('.').slice(0, LONGEST_MEMBER);
  const expected = issue.message
    .replace(/^Invalid input: /, '')
    .replace('received undefined', 'it is missing');
  return `The answer to ${method} is none that MCP allows: ${member}: ${expected}.`;
}

const ISSUES = z.array(
  z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string().max(200) }),
);
const LONGEST_MEMBER = 100;

function jsonOf(found: string): unknown {
  try {
    return JSON.parse(found);
  } catch {
    // A later version of the SDK may word it otherwise.
    return null;
  }
}

/** The SDK throws a plain error for a version that it does not know. */
function ofVersion(error: unknown): McpUnavailable | null {
  const [, version] =
    /^Server's protocol version is not supported: ([\w.-]{1,40})$/.exec(
      error instanceof Error ? error.message : '',
    ) ?? [];
  if (version === undefined) return null;
  return new McpUnavailable(
    'bad_answer',
    `The server speaks version ${version} of MCP, which this service does not.`,
  );
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

/**
 * Answers that a transport gives in a server's place, so that the one call concerned fails and no other. They
 * carry the error itself as `data`, which nothing that came as JSON can imitate.
 */
export function tooLargeAnswer(id: number | string): JSONRPCErrorResponse {
  return localAnswer(
    id,
    new McpUnavailable(
      'too_large',
      'The answer is larger than the service accepts (MCP_FRAME_MAX_BYTES), or nests too deep. Ask for less at a time.',
    ),
  );
}

export function brokenStreamAnswer(id: number | string): JSONRPCErrorResponse {
  return localAnswer(
    id,
    new McpUnavailable('unreachable', 'The connection to the server broke before it responded. Try again.'),
  );
}

export function localAnswer(id: number | string, error: McpUnavailable): JSONRPCErrorResponse {
  return { jsonrpc: '2.0', id, error: { code: -32603, message: error.reason, data: error } };
}

const MOST_NAMED = 5;

/**
 * Adds a sentence to the error of a tool during whose call the server's network rule refused hosts, because the server
 * itself only knows that a connection failed. A result without error stays as it is.
 */
export function withRefusals(
  result: Record<string, unknown>,
  targets: readonly string[],
): Record<string, unknown> {
  if (targets.length === 0 || result.isError !== true || !Array.isArray(result.content)) return result;
  const named = targets.slice(0, MOST_NAMED).join(', ');
  const text = `The network rule of this server refused: ${named}. An admin can name the host in the catalogue entry.`;
  return { ...result, content: [...(result.content as unknown[]), { type: 'text', text }] };
}
