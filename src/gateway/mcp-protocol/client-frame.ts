import { isInitializeRequest, specTypeSchemas } from '@modelcontextprotocol/server';
import { isJsonObject } from '../../platform/json/exact-json.js';

type Loose = Record<string, unknown>;

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
