import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate, IsIn, IsString, IsUUID } from 'class-validator';
import {
  type ArgumentShape,
  type CallOutcome,
  callOutcomes,
  type CallReason,
} from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import { PageQuery } from '../../platform/http/page-and-cursor.query.js';
import { pick } from '../../platform/http/pick.js';
import { INSTANT_MESSAGE, IsText, toInstant } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';

/** The filters of all routes about tool calls. */
export class CallWindowQuery {
  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of an agent' })
  agentId?: string;

  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of an installed server' })
  serverId?: string;

  /** The server's own name of the tool. */
  @MayBeAbsent()
  @IsText({ min: 1, max: 1024, unit: 'codePoints' })
  toolName?: string;

  /** Only calls at or after this instant, in ISO 8601 with a time zone. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  from?: Date;

  /** Only calls before this instant. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  to?: Date;
}

class OutcomeQuery {
  @ApiProperty({ enum: callOutcomes, enumName: 'CallOutcome', required: false })
  @MayBeAbsent()
  @IsIn(callOutcomes)
  outcome?: CallOutcome;
}

/** The list of the calls for one issue. */
export class ListIssueCallsQuery extends IntersectionType(PageQuery, CallWindowQuery, OutcomeQuery) {}

/** The list of all calls. */
export class ListCallsQuery extends ListIssueCallsQuery {
  /** Id or key of the issue. */
  @MayBeAbsent()
  @IsString()
  issueId?: string;
}

/** What a record refers to, by id and name. */
export class CallPartyResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03 */
  id!: string;
  /** @example "Release notes writer" */
  name!: string;
}

/** The issue for which a call was made. */
export class CalledIssueResponse {
  id!: string;
  /** @example DOCS-12 */
  key!: string;
  /** @example "Write the release notes" */
  title!: string;
}

/** The record of one tool call. It holds no value of an argument or a result. */
export class CallResponse {
  id!: string;
  at!: Date;
  @ApiProperty({ type: CallPartyResponse, nullable: true, description: 'null for a trial by an Admin.' })
  agent!: CallPartyResponse | null;
  @ApiProperty({ type: CallPartyResponse, nullable: true, description: 'The Admin of a trial.' })
  user!: CallPartyResponse | null;
  server!: CallPartyResponse;
  /** @example echo */
  toolName!: string;
  @ApiProperty({
    type: CalledIssueResponse,
    nullable: true,
    description: 'The issue of the lease for which the call was made.',
  })
  issue!: CalledIssueResponse | null;
  @ApiProperty({ type: 'integer', nullable: true })
  leaseToken!: number | null;
  /** The gate that the call waited for. */
  gateId!: string | null;
  @ApiProperty({ enum: callOutcomes, enumName: 'CallOutcome', example: 'ok' })
  outcome!: CallOutcome;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'A stable word where the outcome alone does not say enough.',
    example: 'not_granted',
  })
  reason!: string | null;
  @ApiProperty({ type: 'integer', example: 12 })
  durationMs!: number;
  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'The names of the arguments with their JSON types.',
    example: { path: 'string' },
  })
  argumentShape!: Record<string, string>;
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'SHA-256 of the arguments in canonical JSON (RFC 8785); null for a record of an earlier release.',
  })
  argumentsHash!: string | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Size of the result as JSON; null without one.',
  })
  resultBytes!: number | null;

  static from(row: CallRow): CallResponse {
    return {
      ...pick(row, 'id', 'at', 'agent', 'user', 'server', 'toolName', 'issue', 'leaseToken', 'gateId'),
      ...pick(row, 'outcome', 'reason', 'durationMs', 'argumentShape', 'argumentsHash', 'resultBytes'),
    };
  }
}

/** The calls of one tool. */
export class ToolSummaryResponse {
  server!: CallPartyResponse;
  /** @example echo */
  toolName!: string;
  @ApiProperty({ type: 'integer', example: 40 })
  calls!: number;
  @ApiProperty({ type: 'integer', description: 'Calls with another outcome than ok.', example: 1 })
  failed!: number;
  @ApiProperty({ type: 'integer', example: 12 })
  medianMs!: number;
  @ApiProperty({ type: 'integer', example: 80 })
  p95Ms!: number;
}

/** The tool calls of a window. */
export class CallSummaryResponse {
  from!: Date;
  to!: Date;
  @ApiProperty({ type: 'integer', example: 40 })
  calls!: number;
  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(callOutcomes.map((outcome) => [outcome, { type: 'integer' }])),
    required: [...callOutcomes],
    selfRequired: true,
    description: 'The number of calls by outcome.',
  })
  outcomes!: Record<CallOutcome, number>;
  @ApiProperty({
    type: [ToolSummaryResponse],
    description: 'The 100 tools with the most calls, most calls first.',
  })
  tools!: ToolSummaryResponse[];

  static from({ calls, outcomes, tools }: CallSummary, from: Date, to: Date): CallSummaryResponse {
    const all = Object.fromEntries(callOutcomes.map((outcome) => [outcome, outcomes[outcome] ?? 0]));
    return { from, to, calls, outcomes: all as Record<CallOutcome, number>, tools };
  }
}

/** The calls of one tool in a window. */
export interface ToolSummary {
  server: { id: string; name: string };
  toolName: string;
  calls: number;
  failed: number;
  medianMs: number;
  p95Ms: number;
}

/** The calls of a window. */
export interface CallSummary {
  calls: number;
  outcomes: Partial<Record<CallOutcome, number>>;
  tools: ToolSummary[];
}

/** The record of a tool call, with the present names of what it refers to. */
export interface CallRow {
  id: string;
  at: Date;
  agent: { id: string; name: string } | null;
  user: { id: string; name: string } | null;
  server: { id: string; name: string };
  toolName: string;
  issue: { id: string; key: string; title: string } | null;
  leaseToken: number | null;
  gateId: string | null;
  outcome: CallOutcome;
  reason: CallReason | null;
  durationMs: number;
  argumentShape: ArgumentShape;
  argumentsHash: string | null;
  resultBytes: number | null;
}
