import type { OpenApiDocument, Operation, Schema } from '../../../support/openapi-paths.js';
import type { Known } from './from-document.js';
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

/** Operations that would end the session of the test, or start what it does not need. */
const LEFT_OUT = /^POST .*\/(verify|upgrade|reload)$|^(POST|DELETE) \/api\/auth\/(logout|elevate)/;

/** Returns one request for each text field of each operation and each odd text, in body, query and path. */
export function oddTextRequests(document: OpenApiDocument, known: Known): WireRequest[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => !LEFT_OUT.test(`${method.toUpperCase()} ${path}`))
      .flatMap(([method, operation]) => requestsOf(document, method.toUpperCase(), path, operation, known)),
  );
}

function requestsOf(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
  known: Known,
): WireRequest[] {
  const { security = [], parameters = [] } = operation as Operation & { security?: object[] };
  const forAgents = security.length > 0 && security.every((scheme) => 'agent' in scheme);
  const headers = { authorization: `Bearer ${forAgents ? known.agent : known.user}` };
  const at = path.replace(/\{(\w+)\}/g, (_, name: string) => known.ids[name]?.[0] ?? 'x');
  const schema = operation.requestBody?.content['application/json']?.schema;
  const bodies = schema ? bodiesOf(document, schema) : [];
  return [
    ...bodies.map((body) => ({
      method,
      path: at,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })),
    ...queriesOf(parameters as { name: string; in: string }[]).map((query) => ({
      method,
      path: `${at}?${query}`,
      headers,
    })),
    ...pathsOf(path).map((odd) => ({ method, path: odd, headers })),
  ];
}

/** Returns a body for each place of a text, each odd text, and each odd key. */
function bodiesOf(document: OpenApiDocument, schema: Schema): unknown[] {
  const whole = (text: string): Record<string, unknown> =>
    sample(document, schema, text, 0) as Record<string, unknown>;
  const names = Object.keys(whole('x'));
  return Object.values(ODD_TEXTS).flatMap((text) => [
    // All fields at once, each alone, and as a key.
    whole(text),
    ...names.map((name) => ({ ...whole('x'), [name]: whole(text)[name] })),
    { ...whole('x'), [text]: text },
  ]);
}

function sample(document: OpenApiDocument, schema: Schema, text: string, depth: number): unknown {
  const { $ref, allOf, anyOf, oneOf, type, properties, items, additionalProperties } = schema;
  if (typeof $ref === 'string') {
    const { schemas } = document.components;
    return sample(document, schemas[$ref.split('/').at(-1)!] ?? {}, text, depth);
  }
  const part = [allOf, anyOf, oneOf].find((parts) => Array.isArray(parts)) as Schema[] | undefined;
  if (part) return sample(document, part[0]!, text, depth);
  if (depth > 5) return text;
  if (properties)
    return Object.fromEntries(
      Object.entries(properties as Record<string, Schema>).map(([name, field]) => [
        name,
        sample(document, field, text, depth + 1),
      ]),
    );
  if (items) return [sample(document, items as Schema, text, depth + 1)];
  if (additionalProperties) return { NAME: text, [text]: text };
  return (
    ({ integer: 1, number: 1, boolean: true } as Record<string, unknown>)[[type].flat()[0] as string] ?? text
  );
}

function queriesOf(parameters: { name: string; in: string }[]): string[] {
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name }) => encoded().map((text) => `${name}=${text}`));
}

function pathsOf(path: string): string[] {
  return path.includes('{') ? encoded().map((text) => path.replace(/\{\w+\}/g, text)) : [];
}

/** A lone surrogate has no UTF-8; `%ED%A0%80` is what naive encoders make of it. */
function encoded(): string[] {
  const wellFormed = Object.values(ODD_TEXTS).filter((text) => !/\p{Surrogate}/u.test(text));
  return [...wellFormed.map(encodeURIComponent), '%ED%A0%80', '%F0%9D%95', '%FF'];
}
