import { problemCodes, type ProblemCode } from '../http/problem-codes.js';
import type { Response, Schema } from './openapi.types.js';

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const list = (items: Schema): Schema => ({ type: 'array', items });

/** The one form of every refusal (RFC 9457, spec §1). */
export const problemSchema: Schema = {
  ...object({
    type: text,
    title: text,
    status: { type: 'integer' },
    detail: { ...text, description: 'One sentence that says what to do next.' },
    instance: { ...text, description: 'The path of the request.' },
    code: { ...text, enum: Object.keys(problemCodes), description: 'Stable: decide by this one.' },
    message: { ...text, description: 'The same as `detail`.' },
    requestId: { ...text, description: 'The same as the header X-Request-Id.' },
  }),
  description: 'A refusal. `errors` has one row a fault of the request.',
};
(problemSchema['properties'] as Record<string, Schema>)['errors'] = list(
  object({ path: text, message: text }),
);

/** What the refusals of one code tell beside that. */
const membersOf: Partial<Record<ProblemCode, Record<string, Schema>>> = {
  invalid_transition: { from: text, to: text, allowed: list(text) },
  open_dependents: { dependents: list(object({ id: text, key: text, title: text, status: text })) },
  dependency_cycle: { path: list(object({ id: text, key: text })) },
  missing_variables: { variables: list(text) },
};

/** The response of all refusals with these codes, which share a status. */
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
