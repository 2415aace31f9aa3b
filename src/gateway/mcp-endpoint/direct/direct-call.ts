import type { IncomingHttpHeaders } from 'node:http';

type Loose = Record<string, unknown>;

/** A tools/call that can be answered without the SDK's server, see `directCallOf`. */
export interface DirectCall {
  /** 2025-11-25 and before in a session, or 2026-07-28, where a request stands alone. */
  era: 'session' | 'stateless';
  id: string | number;
  params: Loose;
}

/**
 * The plain form of tools/call, as clients send it: one request with a name, no progress asked for, headers and
 * body of one era that agree. null for everything else, however little it differs: that is the SDK's to judge.
 */
export function directCallOf(headers: IncomingHttpHeaders, frame: unknown): DirectCall | null {
  if (!isObject(frame) || frame.jsonrpc !== '2.0' || frame.method !== 'tools/call') return null;
  const { id, params } = frame;
  if ((typeof id !== 'string' && typeof id !== 'number') || !isPlainCall(params) || !takesBoth(headers))
    return null;
  const era = eraOf(headers, params);
  return era && { era, id, params };
}

function isPlainCall(params: unknown): params is Loose & { name: string } {
  if (!isObject(params) || typeof params.name !== 'string' || !NAME.test(params.name)) return false;
  if (params.arguments !== undefined && !isObject(params.arguments)) return false;
  if (Object.keys(params).some((name) => !PLAIN.has(name))) return false;
  return params._meta === undefined || (isObject(params._meta) && params._meta.progressToken === undefined);
}

function takesBoth({ accept = '' }: IncomingHttpHeaders): boolean {
  return accept.includes('application/json') && accept.includes('text/event-stream');
}

function eraOf(headers: IncomingHttpHeaders, params: Loose & { name: string }): DirectCall['era'] | null {
  const reserved = Object.entries((params._meta ?? {}) as Loose).filter(([key]) => key.startsWith(RESERVED));
  const version = headers['mcp-protocol-version'];
  const session = headers['mcp-session-id'];
  if (typeof session === 'string')
    return reserved.length === 0 && headers['mcp-method'] === undefined && isOld(version) ? 'session' : null;
  const agrees =
    version === STATELESS &&
    headers['mcp-method'] === 'tools/call' &&
    headers['mcp-name'] === params.name &&
    hasEnvelope(Object.fromEntries(reserved)) &&
    !Object.keys(headers).some((name) => name.startsWith('mcp-param-'));
  return agrees ? 'stateless' : null;
}

/** Just the three members that every request of 2026-07-28 carries. */
function hasEnvelope({ [VERSION]: version, [CLIENT]: client, [CAPABILITIES]: capabilities, ...rest }: Loose) {
  return (
    version === STATELESS &&
    isObject(client) &&
    typeof client.name === 'string' &&
    typeof client.version === 'string' &&
    isObject(capabilities) &&
    Object.keys(rest).length === 0
  );
}

function isOld(version: string | string[] | undefined): boolean {
  return version === undefined || (typeof version === 'string' && OLD.has(version));
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NAME = /^[a-zA-Z0-9_-]+$/;
const PLAIN = new Set(['name', 'arguments', '_meta']);
const STATELESS = '2026-07-28';
const OLD = new Set(['2025-11-25', '2025-06-18', '2025-03-26']);
const RESERVED = 'io.modelcontextprotocol/';
const VERSION = `${RESERVED}protocolVersion`;
const CLIENT = `${RESERVED}clientInfo`;
const CAPABILITIES = `${RESERVED}clientCapabilities`;
