import { Injectable } from '@nestjs/common';
import formats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { actorOf, type Principal } from '../../platform/authentication/principals-and-roles.js';
import { type FieldError, ValidationFailed } from '../../platform/http/problem.js';
import { codePointsIn } from '../../platform/http/text-and-instant-rules.js';
import type { GateKind } from '../issue-status/issue-status.js';
import type { LockedIssue } from '../issue-status/issue-row-and-references.js';
import type { SeenIssue } from '../issue-status/issue.repository.js';
import { requireAssigned } from '../issue-status/issue-access.service.js';
import { LeaseCheckService } from '../leases/lease-token-checks-renewals-heartbeat-interval.service.js';
import { GateOpeningService } from './gate-opening.service.js';
import type { GateAnswer } from './gate.entity.js';
import type { GateRow } from './gate.repository.js';
import type { AnswerGateRequest, AskQuestionRequest } from './gate.request.js';

/** The length of a title that is the beginning of a question. */
const TITLE = 200;

/** Asks people questions, for agents and people; `answerOf` below decides which answer fits a gate (contract §5.6). */
@Injectable()
export class QuestionsService {
  constructor(
    private readonly opening: GateOpeningService,
    private readonly leaseCheck: LeaseCheckService,
  ) {}

  /**
   * @param issue that the caller sees and may write in; null for a question that belongs to the agent
   * @param leaseToken where the agent names its lease
   * @throws {NotYours} for an agent on an issue of others: a question ends the work on it
   */
  ask(
    caller: Principal,
    issue: SeenIssue | null,
    request: AskQuestionRequest,
    leaseToken: number | null,
  ): Promise<GateRow> {
    const { question, options = [], recommended = null, expiresInSeconds } = request;
    if (recommended !== null && !options.includes(recommended))
      throw new ValidationFailed([{ path: 'recommended', message: 'must be one of the options' }]);
    const gate = {
      kind: 'question' as const,
      projectId: issue?.projectId ?? null,
      issueId: issue?.id ?? null,
      agentId: caller.type === 'agent' ? caller.id : null,
      ...titleOf(question),
      options,
      recommended,
      request: { question },
      expiresInSeconds,
      openedBy: actorOf(caller),
    };
    return this.opening.open(gate, (locked) =>
      refuseWorkOfOthers(this.leaseCheck, caller, locked, leaseToken),
    );
  }
}

/**
 * A gate that an agent opens ends the work on its issue.
 * @throws {NotYours} for an agent on an issue of others
 * @throws {LeaseLost} for the token of a lease that ended
 */
export async function refuseWorkOfOthers(
  leaseCheck: LeaseCheckService,
  caller: Principal,
  issue: LockedIssue,
  leaseToken: number | null,
): Promise<void> {
  if (caller.type === 'user') return;
  requireAssigned(caller.id, issue);
  if (leaseToken !== null) await leaseCheck.require(caller.id, issue, leaseToken);
}

/** A question that is longer than a title is the detail too. */
function titleOf(question: string): { title: string; detail: string | null } {
  const [line = ''] = question.trim().split('\n', 1);
  if (line === question && codePointsIn(line) <= TITLE) return { title: line, detail: null };
  const points = Array.from(line);
  const title = points.length > TITLE ? `${points.slice(0, TITLE - 1).join('')}…` : line;
  return { title: title === '' ? 'A question' : title, detail: question };
}

type Asked = Pick<GateRow, 'kind' | 'options' | 'request'>;

/** The members of a body that belong to each kind. */
const MEMBERS: Record<GateKind, readonly (keyof AnswerGateRequest)[]> = {
  question: ['option', 'text', 'fields'],
  approval: ['decision', 'scope', 'note'],
  budget: ['decision', 'by'],
  checks: [],
};
const DECISIONS = { approval: ['approve', 'deny'], budget: ['extend', 'stop'], checks: [] } as const;

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

function decisionErrors(kind: keyof typeof DECISIONS, { decision }: AnswerGateRequest): FieldError[] {
  if (kind === 'checks')
    return [{ path: '', message: 'checks answer this gate; withdraw it to go on without them' }];
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
  try {
    if (ajv.validate(schema, fields)) return [];
  } catch {
    // A form of an earlier release, which did not compile forms when they were asked. Who asked checks the answer.
    return typeof fields === 'object' ? [] : [{ path: 'fields', message: 'must be an object' }];
  }
  return (ajv.errors ?? []).slice(0, 20).map(errorOf);
}

function errorOf({ instancePath, message, params }: ErrorObject): FieldError {
  const missing = 'missingProperty' in params ? `.${String(params['missingProperty'])}` : '';
  return { path: `fields${instancePath.replaceAll('/', '.')}${missing}`, message: message ?? 'is not valid' };
}
