import { nextTraceparent, traceparentFrom } from '../../platform/http/request-id-and-traceparent.js';
import { currentOrigin } from '../../platform/journal/journal.service.js';
import { isJsonObject } from '../../platform/json/exact-json.js';
import { currentSpan, currentTraceparent } from '../../platform/tracing/spans.js';

const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Returns what the client of a request of 2026-07-28 declares. @param meta `_meta` of the request */
export function capabilitiesIn(meta: unknown): Loose {
  const capabilities = isJsonObject(meta) ? meta[CLIENT_CAPABILITIES] : undefined;
  return isJsonObject(capabilities) ? capabilities : {};
}

/** Returns whether a client answers forms of a server. A declaration without modes means forms, in both eras. */
export function declaresForms({ elicitation }: Loose): boolean {
  return (
    isJsonObject(elicitation) && (isJsonObject(elicitation.form) || Object.keys(elicitation).length === 0)
  );
}

/**
 * Whether the client of a call accepts a task in place of its result. `later`: once the wait for the approval is over, as
 * the extension of 2026-07-28 has it. `now`: in any case, as a call of 2025-11-25 with the field `task` demands.
 */
export type TaskWish = 'later' | 'now';

/** The extension of 2026-07-28 by which a call returns a task that its client polls. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Returns whether the client of a request of 2026-07-28 declares the extension. @param meta `_meta` of the request */
export function declaresTasks(meta: unknown): boolean {
  const { extensions } = capabilitiesIn(meta);
  return isJsonObject(extensions) && isJsonObject(extensions[TASKS_EXTENSION]);
}

/** Takes the wish out of the parameters of tools/call: it concerns this hop alone. */
export function taskWishOf(
  era: 'session' | 'stateless',
  { task, ...params }: Loose,
): { params: Loose; task?: TaskWish } {
  if (era === 'stateless') return declaresTasks(params._meta) ? { params, task: 'later' } : { params };
  return isJsonObject(task) ? { params, task: 'now' } : { params };
}

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
