import formats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type FieldError, ValidationFailed } from '../../platform/http/problem.js';
import type { GateKind } from '../issue-status/gate-state.js';
import type { GateAnswer } from './gate.entity.js';
import type { GateRow } from './gate.repository.js';
import type { AnswerGateRequest } from './gate.request.js';

type Asked = Pick<GateRow, 'kind' | 'options' | 'request'>;

/** The members of a body that belong to each kind. */
const MEMBERS: Record<GateKind, readonly (keyof AnswerGateRequest)[]> = {
  question: ['option', 'text', 'fields'],
  approval: ['decision', 'scope', 'note'],
  budget: ['decision', 'by'],
};
const DECISIONS = { approval: ['approve', 'deny'], budget: ['extend', 'stop'] } as const;

/**
 * Returns the answer that a body gives to a gate.
 * @throws {ValidationFailed} when it does not fit the gate's kind, options or schema
 */
export function answerOf(gate: Asked, body: AnswerGateRequest): GateAnswer {
  const foreign = (Object.keys(body) as (keyof AnswerGateRequest)[])
    .filter((name) => body[name] !== undefined && !MEMBERS[gate.kind].includes(name))
    .map((path) => ({ path, message: `does not belong to the answer of a gate of kind ${gate.kind}` }));
  const errors = [
    ...foreign,
    ...(gate.kind === 'question' ? questionErrors(gate, body) : decisionErrors(gate.kind, body)),
  ];
  if (errors.length > 0) throw new ValidationFailed(errors);
  const {
    option = null,
    text = null,
    fields = null,
    decision,
    scope = 'once',
    note = null,
    by = null,
  } = body;
  if (decision === 'approve' || decision === 'deny') return { decision, scope, note };
  if (decision === 'extend' || decision === 'stop') return { decision, by };
  return { option, text, fields };
}

function decisionErrors(kind: 'approval' | 'budget', { decision }: AnswerGateRequest): FieldError[] {
  const known: readonly string[] = DECISIONS[kind];
  if (decision !== undefined && known.includes(decision)) return [];
  return [{ path: 'decision', message: `must be ${known.join(' or ')}` }];
}

function questionErrors({ options, request }: Asked, body: AnswerGateRequest): FieldError[] {
  const { option, text, fields } = body;
  if (option === undefined && text === undefined && fields === undefined)
    return [{ path: 'text', message: 'is missing: answer with option, text or fields' }];
  const unknownOption = option !== undefined && !options.includes(option);
  return [
    ...(unknownOption ? [{ path: 'option', message: `must be one of ${JSON.stringify(options)}` }] : []),
    ...fieldErrors(request['schema'], fields),
  ];
}

function fieldErrors(schema: unknown, fields: unknown): FieldError[] {
  if (schema === undefined || schema === null)
    return fields === undefined
      ? []
      : [{ path: 'fields', message: 'is only for a question with a schema; answer with text' }];
  if (fields === undefined) return [{ path: 'fields', message: 'is missing: the question has a schema' }];
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: true });
  formats.default(ajv);
  if (ajv.validate(schema, fields)) return [];
  return (ajv.errors ?? []).slice(0, 20).map(errorOf);
}

function errorOf({ instancePath, message, params }: ErrorObject): FieldError {
  const missing = 'missingProperty' in params ? `.${String(params['missingProperty'])}` : '';
  return { path: `fields${instancePath.replaceAll('/', '.')}${missing}`, message: message ?? 'is not valid' };
}
