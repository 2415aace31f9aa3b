import type { OpenApiDocument, Operation, Schema } from '../../../support/openapi-paths.js';
import type { Known } from './from-document.js';
import { sampleOf, textPlaces, withValue } from './text-places.js';
import type { WireRequest } from './wire-request.js';

/** Texts that have broken a library: the first five cannot be stored, the others are ordinary text. */
export const ODD_TEXTS = {
  'a high surrogate': '\ud800',
  'a low surrogate': 'a\udc00b',
  'surrogates in the wrong order': '\udc00\ud800@example.com',
  'an address with a lone surrogate': 'a\ud800@example.com',
  NUL: 'a\0b',
  'bidi controls': '\u202egnp.exe\u202c',
  'four bytes': '𝕏'.repeat(20),
  'a combining flood': `e${'\u0301'.repeat(300)}`,
};

const FULL = process.env['TEST_SIZE'] === 'full';
const ALL = Object.values(ODD_TEXTS);
const [UNSTORABLE, STORABLE] = [ALL.slice(0, 5), ALL.slice(5)];

/** Returns all odd texts in the full size; otherwise one, which can be stored at every third place, others for each. */
export function oddTextsAt(place: number): string[] {
  if (FULL) return ALL;
  const texts = place % 3 === 2 ? STORABLE : UNSTORABLE;
  return [texts[Math.floor(place / 3) % texts.length]!];
}

/** Operations that would start, reload or end what the others need: they name an object that does not exist. */
const OF_NOTHING = /^POST .*\/(verify|upgrade|redeliver|rotate-secret)$|^DELETE .*\}/;

/** It has no text, and would end the session of the test. */
const LEFT_OUT = 'POST /api/auth/logout';

/** Bodies in place of the documented examples, which would download a package or halt the agents. */
const BODIES: Record<string, object> = {
  'POST /api/mcp/installed': { catalogId: 'local', name: 'odd' },
  'PUT /api/agents/halt': { halted: false, reason: 'odd' },
};

/** Headers that the service reads. */
const HEADERS = [
  'Cookie',
  'Forwarded',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Lease-Token',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
  'Origin',
  'Range',
  'Sec-Fetch-Site',
  'Traceparent',
  'User-Agent',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'X-Request-Id',
];

/** The requests of one operation. */
export interface OddOperation {
  route: string;
  requests: WireRequest[];
}

/** Returns requests with each odd text in each text of each operation: body, query, path and headers. */
export function oddTextRequests(document: OpenApiDocument, known: Known): OddOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      requestsOf(document, method.toUpperCase(), path, operation, known),
    ),
  );
}

type Parameters = { name: string; in: string }[];

function requestsOf(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
  known: Known,
): OddOperation {
  const route = `${method} ${path}`;
  const parameters = (operation.parameters ?? []) as Parameters;
  const headers = credentialOf(operation, known);
  const at = filled(path, OF_NOTHING.test(route) ? { ...known, ids: {} } : known);
  const media = operation.requestBody?.content['application/json'];
  const queries = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const whole =
    route === LEFT_OUT
      ? []
      : [
          ...bodiesOf(document, route, media).map((body) => ({
            method,
            path: at,
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          })),
          ...queries.flatMap((name) =>
            encoded(name.length).map((text) => ({ method, path: `${at}?${name}=${text}`, headers })),
          ),
          ...oddHeaders(headers, path.length).map((odd) => ({
            method,
            path: at,
            headers: { ...odd, ...headers },
          })),
        ];
  const paths = names.flatMap((name) =>
    encoded(path.length).map((text) => ({
      method,
      path: filled(path.replace(`{${name}}`, text), known),
      headers,
    })),
  );
  return { route, requests: [...whole, ...paths] };
}

function credentialOf(
  { security = [] }: Operation & { security?: object[] },
  known: Known,
): Record<string, string> {
  const isOnly = (scheme: string) => security.length > 0 && security.every((one) => scheme in one);
  if (isOnly('session')) return { ...known.session };
  return { authorization: `Bearer ${isOnly('agent') ? known.agent : known.user}` };
}

function filled(path: string, { ids }: Known): string {
  const isEntry = path.startsWith('/api/mcp/catalog');
  return path.replace(/\{(\w+)\}/g, (_, name: string) => (isEntry ? 'local' : (ids[name]?.[0] ?? 'x')));
}

/** Returns a body for each place of a text and each odd text, and one with each odd text as a key. */
function bodiesOf(
  document: OpenApiDocument,
  route: string,
  media: { schema?: Schema; example?: unknown } | undefined,
): unknown[] {
  if (!media?.schema) return [];
  const { schema } = media;
  const usual = BODIES[route] ?? media.example ?? sampleOf(document, schema, 'x');
  const places = textPlaces(document, schema);
  return [
    ...places.flatMap((place, at) =>
      oddTextsAt(at + route.length).map((text) => withValue(usual, place, text)),
    ),
    ...oddTextsAt(route.length).map((text) => ({ ...(usual as object), [text]: text })),
  ];
}

/** Returns all headers at once with each text: as UTF-8, as naive encoders write a surrogate, and as bytes. */
function oddHeaders(real: Record<string, string>, place: number): Record<string, string>[] {
  const names = HEADERS.filter((name) => !(name.toLowerCase() in real));
  const texts = ['\u202egnp.exe\u202c', '𝕏', '\u00e9'].map((text) => Buffer.from(text).toString('latin1'));
  const all = [...texts, '\u00ed\u00a0\u0080', '\u00ff', '%ED%A0%80', '"\\ud800"'];
  const chosen = FULL ? all : all.filter((_, at) => at % 3 === place % 3);
  return chosen.map((text) => Object.fromEntries(names.map((name) => [name, text])));
}

/** A lone surrogate has no UTF-8; `%ED%A0%80` is what naive encoders make of it. */
function encoded(place: number): string[] {
  const wellFormed = Object.values(ODD_TEXTS).filter((text) => !/\p{Surrogate}/u.test(text));
  const all = [...wellFormed.map(encodeURIComponent), '%ED%A0%80', '%F0%9D%95', '%FF'];
  return FULL ? all : all.filter((_, at) => at % 3 === place % 3);
}
