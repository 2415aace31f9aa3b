import type { IncomingHttpHeaders } from 'node:http';
import {
  classifyInboundRequest,
  isInitializeRequest,
  specTypeSchemas,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { ExactNumber, isJsonObject, isNumber } from '../../platform/json/exact-json.js';
import {
  capabilitiesIn,
  declaresForms,
  type TaskWish,
  taskWishOf,
} from '../calls/request-meta-and-task-wish.js';

type Loose = Record<string, unknown>;

/** The revision of the stateless era. */
const STATELESS = '2026-07-28';
/** The revisions with sessions. The SDK also knows 2024-10-07, a draft that was never released. */
export const SESSION_REVISIONS = SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version >= '2024-11-05');
const BASE64 = /^=\?base64\?(.*)\?=$/;

/** One tools/call request that follows the protocol. */
export interface ToolCall {
  /** `session`: 2025-11-25 and before; `stateless`: 2026-07-28, where a request stands alone. */
  era: 'session' | 'stateless';
  id: string | number | ExactNumber;
  params: Loose;
  /** Whether the client of a request of 2026-07-28 answers forms of the server. */
  answersForms?: boolean;
  /** Absent where the client accepts no task. */
  task?: TaskWish;
  /** Present where the agent wants to receive progress notifications. */
  progressToken?: string | number | ExactNumber;
}

/**
 * Recognises a tools/call in a POST. Which era a request belongs to is the SDK's decision (`classifyInboundRequest`).
 * Returns null for another method, for a batch, and for a request that the SDK's server rejects: a malformed frame, or
 * headers that are missing or contradict the body.
 */
export function toolCallIn(headers: IncomingHttpHeaders, frame: unknown): ToolCall | null {
  if (!isJsonObject(frame) || frame.method !== 'tools/call') return null;
  const { id, params = {} } = frame;
  if ((typeof id !== 'string' && !isNumber(id)) || !isJsonObject(params)) return null;
  const { kind } = classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: single(headers['mcp-protocol-version']),
    mcpMethodHeader: single(headers['mcp-method']),
    mcpNameHeader: single(headers['mcp-name']),
    body: id instanceof ExactNumber ? { ...frame, id: 0 } : frame,
  });
  if (kind === 'modern') return namesItself(headers, params) ? callOf('stateless', id, params) : null;
  return kind === 'legacy' && belongsToSession(headers) ? callOf('session', id, params) : null;
}

/** In the stateless era the headers repeat version, method and name; `classifyInboundRequest` only compares those present. */
function namesItself(headers: IncomingHttpHeaders, { name }: Loose): boolean {
  const given = single(headers['mcp-name']);
  return (
    headers['mcp-protocol-version'] === STATELESS &&
    headers['mcp-method'] !== undefined &&
    (typeof name !== 'string' || (given !== undefined && decoded(given) === name))
  );
}

/** A header value outside of ASCII comes as `=?base64?…?=`. */
function decoded(value: string): string {
  const [, encoded] = BASE64.exec(value) ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

function belongsToSession(headers: IncomingHttpHeaders): boolean {
  const version = single(headers['mcp-protocol-version']);
  return (
    headers['mcp-session-id'] !== undefined && (version === undefined || SESSION_REVISIONS.includes(version))
  );
}

/** The fields of a retry (2026-07-28) go to the server only from a client that was passed its questions. */
function callOf(
  era: ToolCall['era'],
  id: ToolCall['id'],
  { inputResponses, requestState, ...given }: Loose,
): ToolCall {
  const { task, ...wished } = taskWishOf(era, given);
  const answersForms = era === 'stateless' && declaresForms(capabilitiesIn(given._meta));
  const params = answersForms ? withRetry(wished.params, { inputResponses, requestState }) : wished.params;
  const token = isJsonObject(params._meta) ? params._meta.progressToken : undefined;
  const asksForProgress = typeof token === 'string' || isNumber(token);
  return {
    era,
    id,
    params,
    ...(answersForms && { answersForms }),
    ...(task && { task }),
    ...(asksForProgress && { progressToken: token }),
  };
}

function withRetry(params: Loose, retry: Loose): Loose {
  const given = Object.entries(retry).filter(([, value]) => value !== undefined);
  return given.length === 0 ? params : { ...params, ...Object.fromEntries(given) };
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

/** The members of params that the protocol defines, whose null counts as absent. Data of a tool keeps its nulls. */
const OPTIONAL_PARAMS = ['_meta', 'cursor', 'arguments', 'capabilities', 'clientInfo'] as const;

const MOST_ERRORS = 5;
const EXTENSIONS = ['experimental', 'extensions'];

/**
 * Returns a client's message without null members that the protocol defines (contract §7.4): `params`, its members of
 * the protocol, and in `initialize` every member of the capabilities and of `clientInfo`.
 */
export function withoutNulls(frame: unknown): unknown {
  if (Array.isArray(frame)) return frame.map(withoutNulls);
  if (!isJsonObject(frame) || !('params' in frame)) return frame;
  const { params, ...message } = frame;
  if (params === null) return message;
  if (!isJsonObject(params)) return frame;
  const given = Object.fromEntries(
    Object.entries(params).filter(([name, value]) => value !== null || !isOptional(name)),
  );
  for (const name of ['capabilities', 'clientInfo'])
    if (isJsonObject(given[name])) given[name] = pruned(given[name]);
  return { ...message, params: given };
}

/** Returns what is wrong with an `initialize`, and null for a correct one and for any other message. */
export function initializeErrorIn(frame: unknown): { id: string | number | null; message: string } | null {
  if (!isJsonObject(frame) || frame.method !== 'initialize' || isInitializeRequest(frame)) return null;
  const id = typeof frame.id === 'string' || typeof frame.id === 'number' ? frame.id : null;
  const errors = id === null ? ['id is required: a string or a number'] : errorsIn(frame);
  return { id, message: `initialize: ${errors.join('; ')}` };
}

function errorsIn(frame: Loose): string[] {
  const { params } = frame;
  if (params === undefined) return ['params is required'];
  if (!isJsonObject(params)) return ['params must be an object'];
  const { protocolVersion, capabilities, clientInfo } = params;
  const errors = [
    text('params.protocolVersion', protocolVersion),
    object('params.capabilities', capabilities),
    object('params.clientInfo', clientInfo) ??
      text('params.clientInfo.name', (clientInfo as Loose).name) ??
      text('params.clientInfo.version', (clientInfo as Loose).version),
  ].filter((error) => error !== null);
  return errors.length > 0 ? errors : schemaErrorsIn(frame);
}

/** Returns the first errors that MCP's own schema finds, such as `params.capabilities.sampling: expected object`. */
function schemaErrorsIn(frame: Loose): string[] {
  const { issues = [] } = specTypeSchemas.InitializeRequest['~standard'].validate(frame);
  return issues.slice(0, MOST_ERRORS).map(({ path = [], message }) => {
    const names = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment));
    return `${names.join('.')}: ${message.replace('Invalid input: ', '')}`;
  });
}

function text(path: string, value: unknown): string | null {
  if (value === undefined) return `${path} is required`;
  return typeof value === 'string' ? null : `${path} must be a string`;
}

function object(path: string, value: unknown): string | null {
  if (value === undefined) return `${path} is required`;
  return isJsonObject(value) ? null : `${path} must be an object`;
}

function isOptional(name: string): boolean {
  return (OPTIONAL_PARAMS as readonly string[]).includes(name);
}

/** Returns a copy without members that are null at any depth. What an extension has is its own. */
function pruned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pruned);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    kept.map(([name, member]) => [name, EXTENSIONS.includes(name) ? withoutNull(member) : pruned(member)]),
  );
}

function withoutNull(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}
