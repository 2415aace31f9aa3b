import { problemCodes, type ProblemCode } from '../http/problem/problem-codes.js';
import type { Response, Schema } from './openapi.types.js';

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
  dependency_cycle: { path: list(object({ id: text, key: text })), omitted: { type: 'integer' } },
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
