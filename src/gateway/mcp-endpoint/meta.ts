import { nextTraceparent } from '../../platform/http/traceparent.js';
import { currentOrigin } from '../../platform/journal/journal-context.js';

type Loose = Record<string, unknown>;

/** Prefix of the keys of `_meta` that belong to one hop: protocol version, client and server info, log level. */
const RESERVED = 'io.modelcontextprotocol/';

/** The hop's own, too: each connection numbers its progress itself. */
const PROGRESS_TOKEN = 'progressToken';

/**
 * `_meta` of a request on its way to a server: without what is the agent's and this hop's, with everything else,
 * `traceparent` for instance (spec §7); where the agent gave none in there, the trace of its HTTP request goes on.
 * The connection adds a progress token of its own.
 */
export function forwardedMeta(params: Loose): Loose {
  const { _meta: meta, ...rest } = params;
  const kept = isObject(meta) ? keep(meta, (key) => !key.startsWith(RESERVED) && key !== PROGRESS_TOKEN) : {};
  const traced = { ...traceOfRequest(), ...kept };
  return Object.keys(traced).length > 0 ? { ...rest, _meta: traced } : rest;
}

function traceOfRequest(): Loose {
  const traceparent = currentOrigin()?.traceparent;
  return traceparent ? { traceparent: nextTraceparent(traceparent) } : {};
}

/** A result on its way back: everything as it came, but for what its server said to this service alone. */
export function withoutReservedMeta(result: Loose): Loose {
  const { _meta: meta } = result;
  if (!isObject(meta) || !Object.keys(meta).some((key) => key.startsWith(RESERVED))) return result;
  return { ...result, _meta: keep(meta, (key) => !key.startsWith(RESERVED)) };
}

function keep(meta: Loose, wanted: (key: string) => boolean): Loose {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => wanted(key)));
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
