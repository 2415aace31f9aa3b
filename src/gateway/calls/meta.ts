import { nextTraceparent, traceparentFrom } from '../../platform/http/request-context.js';
import { currentOrigin } from '../../platform/journal/journal-context.js';
import { isJsonObject } from '../../platform/json/exact-number.js';
import { currentSpan, currentTraceparent } from '../../platform/tracing/spans.js';

type Loose = Record<string, unknown>;

/** Prefix of the keys of `_meta` that belong to one connection: protocol version, client and server info, log level. */
const RESERVED = 'io.modelcontextprotocol/';

/** Also belongs to one connection, because each connection numbers its own progress. */
const PROGRESS_TOKEN = 'progressToken';

/**
 * Returns `_meta` of a request for a server (contract §7): without the fields that belong to the agent's connection, with
 * all others, for instance `traceparent`. Without a `traceparent`, the trace of the HTTP request continues. While the
 * service records the call, its own span is the parent of what the server does. The connection adds a progress token of
 * its own.
 */
export function forwardedMeta(params: Loose): Loose {
  const { _meta: meta, ...rest } = params;
  const kept = isJsonObject(meta)
    ? keep(meta, (key) => !key.startsWith(RESERVED) && key !== PROGRESS_TOKEN)
    : {};
  const traced = { ...traceOfRequest(), ...kept, ...ownSpan() };
  return Object.keys(traced).length > 0 ? { ...rest, _meta: traced } : rest;
}

function traceOfRequest(): Loose {
  const traceparent = currentOrigin()?.traceparent;
  return traceparent ? { traceparent: nextTraceparent(traceparent) } : {};
}

function ownSpan(): Loose {
  return currentSpan() ? { traceparent: currentTraceparent() } : {};
}

/** Returns the valid `traceparent` that a request has in its `_meta`, or null. */
export function traceparentIn({ _meta: meta }: Loose): string | null {
  return isJsonObject(meta) && typeof meta.traceparent === 'string'
    ? traceparentFrom(meta.traceparent)
    : null;
}

/** Returns a server's result for the agent: unchanged, without the fields that belong to the server's connection. */
export function withoutReservedMeta(result: Loose): Loose {
  const { _meta: meta } = result;
  if (!isJsonObject(meta) || !Object.keys(meta).some((key) => key.startsWith(RESERVED))) return result;
  return { ...result, _meta: keep(meta, (key) => !key.startsWith(RESERVED)) };
}

function keep(meta: Loose, wanted: (key: string) => boolean): Loose {
  return Object.fromEntries(Object.entries(meta).filter(([key]) => wanted(key)));
}
