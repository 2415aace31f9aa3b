import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../platform/http/pick.js';
import { hasExactNumbers, jsonText } from '../../platform/json/exact-json.js';
import { ActorResponse } from '../issue-reading/issue.response.js';
import { type GateKind, gateKinds, type GateState, gateStates } from '../issue-status/issue-status.js';
import type { CarriedAnswer, GateAnswer, GateContext } from './gate.entity.js';
import type { GateRow } from './gate.repository.js';

/** What a person answered, how checks ended, or that neither happened in time. Fields of the other kinds are null. */
export class IssueAnswerResponse {
  gateId!: string;
  @ApiProperty({ enum: ['question', 'approval', 'checks'] })
  kind!: CarriedAnswer['kind'];
  @ApiProperty({ enum: gateStates, enumName: 'GateState' })
  state!: GateState;
  /** The question that was asked. */
  question!: string | null;
  option!: string | null;
  text!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  fields!: Record<string, unknown> | null;
  /** The tool that needed an approval, or whose server asked. */
  toolName!: string | null;
  @ApiProperty({ enum: ['approve', 'deny'], nullable: true })
  decision!: 'approve' | 'deny' | null;
  note!: string | null;
  /** How the call ended that was approved, or whose server asked; of checks passed or failed. */
  outcome!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  result!: Record<string, unknown> | null;

  static from({ gateId, kind, state, request, answer, outcome, result }: CarriedAnswer): IssueAnswerResponse {
    const reply = answer && 'option' in answer ? answer : { option: null, text: null, fields: null };
    const decided = answer && 'note' in answer ? answer : { decision: 'deny' as const, note: null };
    const isApproval = kind === 'approval';
    return {
      gateId,
      kind,
      state,
      question: kind === 'question' ? String(request['question']) : null,
      option: reply.option,
      text: reply.text,
      fields: reply.fields,
      toolName: typeof request['toolName'] === 'string' ? request['toolName'] : null,
      decision: isApproval ? decided.decision : null,
      note: decided.note,
      outcome,
      result: (result as Record<string, unknown> | null) ?? null,
    };
  }
}

export class GateProjectResponse {
  id!: string;
  /** @example DOCS */
  key!: string;
  /** @example "Documentation" */
  name!: string;
}

export class GateIssueResponse {
  id!: string;
  /** @example DOCS-12 */
  key!: string;
  /** @example "Write the release notes" */
  title!: string;
}

export class GateAgentResponse {
  id!: string;
  /** @example "Release notes writer" */
  name!: string;
}

export class GateBlocksResponse {
  @ApiProperty({
    type: 'integer',
    description: 'Unresolved issues that wait for it, directly or through others.',
  })
  issues!: number;
  @ApiProperty({ type: 'integer', description: 'Agents of those issues that have nothing else to do.' })
  agents!: number;
}

/** What a response shows beside the row. */
export interface GateView {
  context: GateContext | undefined;
  /** The arguments of a call, for its agent as it sent them; null where the caller does not see them. */
  args: Record<string, unknown> | null;
}

export class GateLastWordsResponse {
  /** @example "The draft is ready. I publish it now." */
  text!: string;
  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
}

/** A decision or answer that only a person can give, or the end of checks. */
export class GateResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
  id!: string;
  @ApiProperty({ enum: gateKinds, enumName: 'GateKind' })
  kind!: GateKind;
  @ApiProperty({ enum: gateStates, enumName: 'GateState' })
  state!: GateState;
  @ApiProperty({ type: GateProjectResponse, nullable: true })
  project!: GateProjectResponse | null;
  @ApiProperty({ type: GateIssueResponse, nullable: true })
  issue!: GateIssueResponse | null;
  @ApiProperty({ type: GateAgentResponse, nullable: true, description: 'The agent whose work it concerns.' })
  agent!: GateAgentResponse | null;
  /** @example "May I publish the release notes today?" */
  title!: string;
  detail!: string | null;
  /** The answers to choose from. */
  options!: string[];
  recommended!: string | null;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'What was asked. `arguments` of a call are those that the agent sent for itself, masked for people. `argumentsText` has them as JSON where they hold numbers that a double cannot hold. Both are null for Viewers, once the call waits no more, and in lists where they are large.',
  })
  request!: Record<string, unknown>;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  answer!: Record<string, unknown> | null;
  @ApiProperty({ type: ActorResponse, nullable: true })
  answeredBy!: ActorResponse | null;
  @ApiProperty({ type: ActorResponse })
  openedBy!: ActorResponse;
  openedAt!: Date;
  /** null for a gate that does not expire. */
  expiresAt!: Date | null;
  answeredAt!: Date | null;
  /** How an approved call ended, or the checks: passed or failed. */
  outcome!: string | null;
  @ApiProperty({
    type: GateLastWordsResponse,
    nullable: true,
    description:
      'For an open approval: the first 500 characters of the last comment of its agent on the issue.',
  })
  lastWords!: GateLastWordsResponse | null;
  @ApiProperty({ type: GateBlocksResponse })
  blocks!: GateBlocksResponse;

  static from(row: GateRow, { context, args }: GateView): GateResponse {
    const isAnswered = row.state === 'answered';
    return {
      ...pick(row, 'id', 'kind', 'state'),
      project:
        row.projectId === null ? null : { id: row.projectId, key: row.projectKey!, name: row.projectName! },
      issue: row.issueId === null ? null : { id: row.issueId, key: row.issueKey!, title: row.issueTitle! },
      agent: row.agentId === null ? null : { id: row.agentId, name: row.agentName! },
      ...pick(row, 'title', 'detail', 'options', 'recommended'),
      request: row.kind === 'approval' ? { ...row.request, ...shownAs(args) } : row.request,
      answer: row.answer && { ...(row.answer satisfies GateAnswer) },
      answeredBy: isAnswered
        ? { type: row.closedByType!, id: row.closedById, name: row.closedByName! }
        : null,
      openedBy: { type: row.openedByType, id: row.openedById, name: row.openedByName },
      openedAt: row.createdAt,
      expiresAt: row.expiresAt,
      answeredAt: isAnswered ? row.closedAt : null,
      outcome: row.outcome,
      lastWords: context?.lastWords ?? null,
      blocks: context?.blocks ?? { issues: 0, agents: 0 },
    };
  }
}

/** A person has to see the digits also where a program has parsed the numbers. */
function shownAs(args: GateView['args']) {
  return { arguments: args, ...(hasExactNumbers(args) && { argumentsText: jsonText(args, 2) }) };
}
