import { POLICY_EXTENSION, type RoutePolicy } from '../authentication/route-policies-and-agent-itself.js';
import { type ProblemCode, problemCodes } from '../http/problem.js';
import { CARRIES_SECRET_EXTENSION, REFUSES_EXTENSION } from '../http/route.decorators.js';
import type { Components, Operation, Response, Schema } from './openapi-examples.js';

const header = (description: string, type = 'string') => ({ description, schema: { type } });

const headers = {
  'X-Request-Id': header(
    'The id under which the request is logged and audited; sent by the caller or generated.',
  ),
  Location: header('Path of the created object.'),
  Link: header('`<path>; rel="next"` unless it is the last page.'),
  'X-Total-Count': header('Number of rows in the whole list, with `count=true`.', 'integer'),
  'X-Total-Count-Capped': header('`true` when the list is longer than X-Total-Count.', 'boolean'),
  ETag: header('The version of the object, in quotes, for If-Match.'),
};

/** Adds the headers of an operation's successful responses (contract §1). */
export function describeHeaders(operation: Operation, components: Components): void {
  components.headers ??= headers;
  for (const [status, response] of Object.entries(operation.responses))
    if (status.startsWith('2'))
      response.headers = {
        ...Object.fromEntries(namesOf(status, operation, components).map(refer)),
        ...response.headers,
      };
}

function namesOf(status: string, operation: Operation, { schemas }: Components): (keyof typeof headers)[] {
  const isPage = (operation.parameters ?? []).some(({ name }) => name === 'cursor');
  return [
    'X-Request-Id',
    ...(status === '201' ? (['Location'] as const) : []),
    ...(isPage ? (['Link', 'X-Total-Count', 'X-Total-Count-Capped'] as const) : []),
    ...(hasVersion(operation.responses[status]!, schemas) ? (['ETag'] as const) : []),
  ];
}

function hasVersion({ content }: Response, schemas: Components['schemas']): boolean {
  const reference = content?.['application/json']?.schema?.['$ref'];
  const schema = typeof reference === 'string' ? schemas[reference.split('/').at(-1)!] : undefined;
  return schema !== undefined && 'version' in ((schema['properties'] ?? {}) as object);
}

function refer(name: string): [string, { $ref: string }] {
  return [name, { $ref: `#/components/headers/${name}` }];
}

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const list = (items: Schema): Schema => ({ type: 'array', items });

/** The form of every error response (RFC 9457, contract §1). */
export const problemSchema: Schema = {
  ...object({
    type: text,
    title: text,
    status: { type: 'integer' },
    detail: { ...text, description: 'One sentence that says what to do next.' },
    instance: { ...text, description: 'The path of the request.' },
    code: { ...text, enum: Object.keys(problemCodes), description: 'Stable: clients decide by this field.' },
    message: { ...text, description: 'The same as `detail`.' },
    requestId: { ...text, description: 'The same as the header X-Request-Id.' },
  }),
  description: 'An error. `errors` has one row per invalid field of the request.',
};
(problemSchema['properties'] as Record<string, Schema>)['errors'] = list(
  object({ path: text, message: text }),
);

/** Further members of the errors with one code. */
const membersOf: Partial<Record<ProblemCode, Record<string, Schema>>> = {
  invalid_transition: { from: text, to: text, allowed: list(text) },
  open_dependents: { dependents: list(object({ id: text, key: text, title: text, status: text })) },
  open_children: { children: list(object({ id: text, key: text, title: text, status: text })) },
  dependency_cycle: {
    path: list({ anyOf: [object({ id: text, key: text }), object({ ref: text })] }),
    omitted: { type: 'integer' },
  },
  gate_closed: {
    state: text,
    by: object({ type: text, id: { type: ['string', 'null'] }, name: text }),
    at: text,
  },
  lease_lost: { reason: text },
  worker_taken: { since: text, retryAfterSeconds: { type: 'integer' } },
  missing_variables: { variables: list(text) },
};

/** Returns the response of all errors with these codes, which share a status. */
export function refusalResponse(codes: ProblemCode[]): Response {
  const members = Object.assign({}, ...codes.map((code) => membersOf[code] ?? {})) as Record<string, Schema>;
  const own = { type: 'object', properties: { code: { enum: codes }, ...members } };
  return {
    description: codes.map((code) => `\`${code}\`: ${problemCodes[code].title}`).join('; '),
    content: {
      'application/problem+json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Problem' }, own] },
        example: exampleOf(codes[0]!),
      },
    },
  };
}

function exampleOf(code: ProblemCode): unknown {
  const { status, title } = problemCodes[code];
  const type = `urn:agent-work-platform:problem:${code}`;
  return {
    type,
    title,
    status,
    detail: title,
    instance: '/api/projects',
    code,
    message: title,
    requestId: 'docs-1',
  };
}

/** The codes that a request header adds to an operation. */
const CODES_OF_HEADER: Record<string, ProblemCode[]> = {
  'Idempotency-Key': ['idempotency_key_in_use', 'idempotency_key_reused'],
  'If-Match': ['version_mismatch'],
};

/** Adds every error of an operation to its responses, one per status with its codes. */
export function describeRefusals(method: string, operation: Operation, components: Components): void {
  const codes = codesOf(method, operation);
  for (const name of Object.keys(operation)) if (name.startsWith('x-awp-')) delete operation[name];
  for (const status of new Set(codes.map((code) => problemCodes[code].status)))
    operation.responses[status] ??= shared(
      components,
      codes.filter((code) => problemCodes[code].status === status),
    );
}

/** Returns the codes in the order of the contract's list, so that equal sets share one response. */
function codesOf(method: string, operation: Operation): ProblemCode[] {
  const own = (operation[REFUSES_EXTENSION] as ProblemCode[] | undefined) ?? [];
  const codes = new Set([...own, ...codesByForm(method, operation), ...codesByPolicy(method, operation)]);
  return (Object.keys(problemCodes) as ProblemCode[]).filter((code) => codes.has(code));
}

function codesByForm(method: string, operation: Operation): ProblemCode[] {
  const parameters = operation.parameters ?? [];
  const codes: ProblemCode[] = ['validation_failed', 'unavailable', 'internal', 'rate_limited'];
  if (method === 'get') codes.push('answer_too_large');
  else
    codes.push(
      ...(['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const),
      ...(['database_read_only', 'storage_full'] as const),
    );
  if (parameters.some((parameter) => parameter.in === 'path')) codes.push('not_found');
  codes.push(
    ...parameters.flatMap(({ in: place, name }) => (place === 'header' ? (CODES_OF_HEADER[name] ?? []) : [])),
  );
  if (operation[CARRIES_SECRET_EXTENSION]) codes.push('https_required');
  return codes;
}

function codesByPolicy(method: string, operation: Operation): ProblemCode[] {
  const policy = operation[POLICY_EXTENSION] as RoutePolicy | undefined;
  if (!policy || policy.public) return [];
  const byCookie = method !== 'get' && !policy.bearerOnly && policy.role !== 'agents only';
  const codes: ProblemCode[] = ['unauthenticated', 'forbidden'];
  if (byCookie) codes.push('csrf_rejected');
  if (method !== 'get' && policy.agents !== 'refused' && !policy.whileDisabled) codes.push('agent_disabled');
  return codes;
}

function shared(components: Components, codes: ProblemCode[]): { $ref: string } {
  const name = codes.join('.');
  components.responses ??= {};
  components.responses[name] ??= refusalResponse(codes);
  return { $ref: `#/components/responses/${name}` };
}
