import type { OpenAPIObject } from '@nestjs/swagger';
import { POLICY_EXTENSION, type RoutePolicy } from '../auth/policy.js';
import { problemCodes, type ProblemCode } from '../http/problem-codes.js';
import { REFUSES_EXTENSION } from '../http/refuses.decorator.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> & Record<string, unknown>;

/** Writes every refusal that an operation may answer with into its responses, one a status with its codes. */
export function describeRefusals(method: string, operation: Operation): void {
  const policy = operation[POLICY_EXTENSION] as RoutePolicy | undefined;
  const own = (operation[REFUSES_EXTENSION] as ProblemCode[] | undefined) ?? [];
  delete operation[POLICY_EXTENSION];
  delete operation[REFUSES_EXTENSION];
  const codes = new Set<ProblemCode>([...own, ...codesByForm(method, operation), ...codesByPolicy(policy)]);
  for (const status of new Set([...codes].map((code) => problemCodes[code].status)))
    operation.responses[String(status)] = refusal([...codes].filter((code) => problemCodes[code].status === status));
}

function codesByForm(method: string, operation: Operation): ProblemCode[] {
  const parameters = (operation.parameters ?? []) as { in: string }[];
  const codes: ProblemCode[] = ['validation_failed', 'unavailable', 'internal', 'rate_limited'];
  if (method !== 'get') codes.push('malformed_json', 'payload_too_large', 'unsupported_media_type');
  if (parameters.some((parameter) => parameter.in === 'path')) codes.push('not_found');
  return codes;
}

function codesByPolicy(policy: RoutePolicy | undefined): ProblemCode[] {
  return !policy || policy.public ? [] : ['unauthenticated', 'forbidden'];
}

function refusal(codes: ProblemCode[]): Operation['responses'][string] {
  return {
    description: codes.map((code) => `\`${code}\` ${problemCodes[code].title}`).join('; '),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

/** The one form of every refusal (RFC 9457, spec §1). */
export const problemSchema = {
  type: 'object',
  description: 'A refusal: `code` is stable, `detail` says what to do next, `errors` has one row a fault.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'message', 'requestId'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', enum: Object.keys(problemCodes) },
    message: { type: 'string', description: 'The same as `detail`.' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
};
