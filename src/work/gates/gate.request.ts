import { ApiProperty, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsString,
  IsUUID,
  Max,
  Min,
} from 'class-validator';
import { PageQuery } from '../../platform/http/page-and-cursor.query.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { type GateKind, gateKinds, type GateState, gateStates } from '../issue-status/issue-status.js';

const OPTION = { min: 1, max: 500, unit: 'codePoints' } as const;

/** A question to a person. */
export class AskQuestionRequest {
  /** @example "May I publish the release notes today?" */
  @IsText({ min: 1, max: 16_384, unit: 'bytes' })
  question!: string;

  /**
   * Answers to choose from, at most 10.
   * @example ["Today", "Tomorrow"]
   */
  @ApiProperty({ type: [String], required: false, maxItems: 10 })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(10)
  @ArrayUnique({ message: 'must not name an option twice' })
  @IsText(OPTION, { each: true })
  options?: string[];

  /**
   * The option that the asker would take.
   * @example Tomorrow
   */
  @MayBeAbsent()
  @IsText(OPTION)
  recommended?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    minimum: 10,
    description: 'Default: `GATE_TTL_HOURS`.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(10)
  @Max(31_536_000)
  expiresInSeconds?: number;
}

/** What a gate that a person or an agent opens waits for: an answer, or the end of checks. */
const openedKinds = ['question', 'checks'] as const;

/** When the checks that a gate waits for count as over. */
const untils = ['passing', 'merged'] as const;
export type Until = (typeof untils)[number];

/** A gate on an issue. Which fields it takes depends on its kind. */
export class OpenGateRequest extends PartialType(AskQuestionRequest, { skipNullProperties: false }) {
  @ApiProperty({
    enum: openedKinds,
    required: false,
    default: 'question',
    description: 'question asks a person; checks waits for the checks of pull requests.',
  })
  @MayBeAbsent()
  @IsIn(openedKinds)
  kind?: (typeof openedKinds)[number];

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    required: false,
    description: 'Of checks: the code of the issue to wait for; without it all of its open pull requests.',
  })
  @MayBeAbsent()
  @IsUUID()
  codeId?: string;

  @ApiProperty({
    enum: untils,
    required: false,
    default: 'passing',
    description: 'Of checks: until they pass, or until the pull requests are merged.',
  })
  @MayBeAbsent()
  @IsIn(untils)
  until?: Until;
}

/** The fields that belong to one kind only. */
const FIELDS = { question: ['question', 'options', 'recommended'], checks: ['codeId', 'until'] } as const;

/** @throws {ValidationFailed} for fields of the other kind, and for a question without its text */
export function requireFieldsOfKind(body: OpenGateRequest): void {
  const { kind = 'question', question } = body;
  const foreign = FIELDS[kind === 'question' ? 'checks' : 'question'];
  const errors = foreign
    .filter((path) => body[path] !== undefined)
    .map((path) => ({ path, message: `does not belong to a gate of kind ${kind}` }));
  if (kind === 'question' && question === undefined)
    errors.push({ path: 'question', message: 'is required' });
  if (errors.length > 0) throw new ValidationFailed(errors);
}

export class ListGatesQuery extends PageQuery {
  @ApiProperty({ enum: gateStates, enumName: 'GateState', required: false })
  @MayBeAbsent()
  @IsIn(gateStates)
  state?: GateState;

  @ApiProperty({ enum: gateKinds, enumName: 'GateKind', required: false })
  @MayBeAbsent()
  @IsIn(gateKinds)
  kind?: GateKind;

  /** Id or key of a project. */
  @MayBeAbsent()
  @IsString()
  projectId?: string;

  /** Id or key of an issue. */
  @MayBeAbsent()
  @IsString()
  issueId?: string;

  /** The agent whose work the gates concern. */
  @MayBeAbsent()
  @IsString()
  agentId?: string;
}

/** The answer to a gate. Which fields it takes depends on the kind of the gate. */
export class AnswerGateRequest {
  /**
   * One of the options of a question.
   * @example Tomorrow
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 500, unit: 'codePoints' })
  option?: string;

  /**
   * An answer to a question in one's own words.
   * @example "Wait for the totals of March."
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 16_384, unit: 'bytes' })
  text?: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    selfRequired: false,
    description: 'The values that the schema of a question asks for.',
  })
  @MayBeAbsent()
  @IsObject()
  fields?: Record<string, unknown>;

  @ApiProperty({
    enum: ['approve', 'deny', 'extend', 'stop'],
    required: false,
    description: 'approve or deny for an approval, extend or stop for a budget.',
  })
  @MayBeAbsent()
  @IsIn(['approve', 'deny', 'extend', 'stop'])
  decision?: 'approve' | 'deny' | 'extend' | 'stop';

  @ApiProperty({
    enum: ['once', 'issue'],
    required: false,
    description: 'Whether an approval is for this call or for all calls of the tool on the issue.',
  })
  @MayBeAbsent()
  @IsIn(['once', 'issue'])
  scope?: 'once' | 'issue';

  /**
   * What the agent should know about a decision on a call.
   * @example "Only on the staging server."
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 16_384, unit: 'bytes' })
  note?: string;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'By how much to extend a budget, in its own unit; without it by the limit that is set.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(1)
  @Max(Number.MAX_SAFE_INTEGER)
  by?: number;
}
