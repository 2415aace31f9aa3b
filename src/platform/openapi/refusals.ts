import { POLICY_EXTENSION, type RoutePolicy } from '../auth/policy.js';
import { CARRIES_SECRET_EXTENSION } from '../http/routes/carries-secret.decorator.js';
import { problemCodes, type ProblemCode } from '../http/problem/problem-codes.js';
import { REFUSES_EXTENSION } from '../http/problem/refuses.decorator.js';
import { refusalResponse } from './problem-schema.js';
import type { Components, Operation } from './openapi.types.js';

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
