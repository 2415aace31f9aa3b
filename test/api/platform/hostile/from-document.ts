import fc from 'fast-check';
import type { OpenApiDocument, Schema } from '../../../support/openapi-paths.js';
import { contentTypes, headers as oddHeaders, words } from './killers.js';
import type { WireRequest } from './wire-request.js';

/** The key of a request, and ids that exist by the name of the path's parameter. */
export interface Known {
  user: string;
  agent: string;
  /** The headers of a person's session. */
  session: Record<string, string>;
  ids: Record<string, string[]>;
}

interface Parameter {
  name: string;
  in: string;
  schema?: Schema;
}

/** Operations that are not called at random: they would end what the others need, run packages, or call other servers. */
const LEFT_OUT =
  /^POST .*\/(verify|upgrade|reload)$|^(POST|DELETE) \/api\/auth\/(login|logout|password|keys)/;

const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 53,
    1e300,
    '',
    ' ',
    '\0',
    '\ud800',
    '__proto__',
    [],
    {},
    [[]],
  ),
  fc.constantFrom('a'.repeat(600), 'é'.repeat(40_000), '\u202e', '2026-13-01T00:00:00Z', '0'.repeat(36)),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  fc.array(fc.integer(), { maxLength: 5 }),
);

/** Generates requests that follow the document by chance and violate it somewhere. */
export function requestsFrom(document: OpenApiDocument, known: Known): fc.Arbitrary<WireRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, object>)
      .filter(([method]) => !LEFT_OUT.test(`${method.toUpperCase()} ${path}`))
      .map(([method, operation]) => requestOf(document, method.toUpperCase(), path, operation, known)),
  );
  return fc.oneof(...operations);
}

function requestOf(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: object,
  known: Known,
): fc.Arbitrary<WireRequest> {
  const {
    parameters = [],
    security = [],
    requestBody,
  } = operation as {
    parameters?: Parameter[];
    security?: object[];
    requestBody?: { content: Record<string, { schema?: Schema }> };
  };
  const forAgents = security.length > 0 && security.every((scheme) => 'agent' in scheme);
  const schema = requestBody?.content['application/json']?.schema;
  return fc
    .record({
      path: pathFrom(path, known),
      query: queryFrom(parameters.filter((parameter) => parameter.in === 'query')),
      body: schema ? fc.option(bodyFrom(document, schema)) : fc.option(hostile, { freq: 8 }),
      type: rarely(fc.constantFrom(...contentTypes), 'application/json'),
      odd: rarely(fc.constantFrom(...oddHeaders), {}),
      asAgent: rarely(fc.constant(!forAgents), forAgents),
    })
    .map(({ path: at, query, body, type, odd, asAgent }) => ({
      method,
      path: query ? `${at}?${query}` : at,
      headers: {
        authorization: `Bearer ${asAgent ? known.agent : known.user}`,
        ...(body !== null && method !== 'GET' && { 'content-type': type }),
        ...odd,
      },
      ...(body !== null && method !== 'GET' && { body: JSON.stringify(body) ?? '' }),
    }));
}

const rarely = <T>(odd: fc.Arbitrary<T>, usual: T): fc.Arbitrary<T> =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: odd });

function pathFrom(path: string, { ids }: Known): fc.Arbitrary<string> {
  const parts = path.split(/\{(\w+)\}/);
  const values = parts.map((part, at) =>
    at % 2 === 0
      ? fc.constant(part)
      : fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...(ids[part] ?? ['x'])) },
          { weight: 1, arbitrary: fc.constantFrom(...words) },
        ),
  );
  return fc.tuple(...values).map((pieces) => pieces.join(''));
}

function queryFrom(parameters: Parameter[]): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema }) =>
    fc.option(
      fc.oneof(
        fc
          .constantFrom(...((schema?.['enum'] as string[] | undefined) ?? ['1', 'true', 'x']).map(String))
          .map((value) => `${name}=${value}`),
        fc.constantFrom(...words).map((word) => `${name}=${word}`),
        fc.constantFrom(`${name}[]=1`, `${name}[a]=1`, `${name}=1&${name}=2`, `${name}=`),
      ),
      { freq: 2 },
    ),
  );
  return fc.tuple(...pairs).map((chosen) => chosen.filter((pair) => pair !== null).join('&'));
}

function bodyFrom(document: OpenApiDocument, schema: Schema): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 6, arbitrary: valueFrom(document, schema, 0) },
    { weight: 1, arbitrary: hostile },
  );
}

/** Generates a value of the schema in which one of five parts is hostile. */
function valueFrom(document: OpenApiDocument, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const { $ref, allOf, anyOf, oneOf, type, properties, items } = schema;
  if (typeof $ref === 'string') return valueFrom(document, named(document, $ref), depth);
  const part = [allOf, anyOf, oneOf].find((parts) => Array.isArray(parts)) as Schema[] | undefined;
  if (part) return valueFrom(document, part[0]!, depth);
  const fit =
    depth > 4 ? hostile : fitting(document, { type, properties, items, values: schema['enum'] }, depth);
  return fc.oneof({ weight: 4, arbitrary: fit }, { weight: 1, arbitrary: hostile });
}

function fitting(
  document: OpenApiDocument,
  {
    type,
    properties,
    items,
    values,
  }: { type: unknown; properties: unknown; items: unknown; values: unknown },
  depth: number,
): fc.Arbitrary<unknown> {
  if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
  if (properties)
    return fc.record(
      Object.fromEntries(
        Object.entries(properties as Record<string, Schema>).map(([name, field]) => [
          name,
          valueFrom(document, field, depth + 1),
        ]),
      ),
      { requiredKeys: [] },
    );
  if (items) return fc.array(valueFrom(document, items as Schema, depth + 1), { maxLength: 4 });
  const kinds: Record<string, fc.Arbitrary<unknown>> = {
    integer: fc.integer({ min: -2, max: 2_000 }),
    number: fc.double(),
    boolean: fc.boolean(),
    string: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  };
  return kinds[[type].flat()[0] as string] ?? hostile;
}

function named(document: OpenApiDocument, reference: string): Schema {
  const schemas = (document as unknown as { components: { schemas: Record<string, Schema> } }).components
    .schemas;
  return schemas[reference.split('/').at(-1)!] ?? {};
}
