import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayUnique, IsDate, IsIn, IsInt, Max, Min } from 'class-validator';
import { type Role, roles } from '../../platform/authentication/principal.js';
import { PageQuery } from '../../platform/http/page-and-cursor.query.js';
import { pick } from '../../platform/http/pick.js';
import { INSTANT_MESSAGE, toInstant } from '../../platform/http/text-rules.js';
import { MayBeAbsent, toWholeNumber } from '../../platform/http/validation.pipe.js';
import { type GateKind, gateKinds, type Status, statuses } from '../issue-status/issue-status.js';
import { explanations, neededOf, type Reason } from './explanations.js';
import type { IssueFacts } from './issue-facts.js';
import { ActorResponse, AssigneeResponse, ExplainedIssueResponse } from './issue.response.js';
import { type TimelineRow, type TimelineType, timelineTypes } from './timeline.repository.js';

export class AgentWorkQuery {
  /** The most issues of each of the two lists. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 500, default: 100, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(500)
  limit: number = 100;
}

/** The issues of an agent that are not finished, as far as the caller sees them. */
export class AgentWorkResponse {
  @ApiProperty({ type: [ExplainedIssueResponse], description: 'Those that it holds a live lease of.' })
  running!: ExplainedIssueResponse[];
  @ApiProperty({
    type: [ExplainedIssueResponse],
    description:
      'The others in the order in which the agent gets them: `why` says why it has not got one yet. Those that it cannot get now come last.',
  })
  next!: ExplainedIssueResponse[];
}

const issues = (description?: string) =>
  ApiProperty({ type: 'integer', ...(description && { description }) });

/** What the issues in WaitingOnDependency wait for. */
export class WaitingCountsResponse {
  @issues('Those that wait for other issues alone.')
  onWork!: number;
  @issues('Those that wait for a decision or answer of a person.')
  onPerson!: number;
}

/** How many issues a project has in each status. */
export class IssueCountsResponse implements Record<Status, number> {
  @issues()
  Open!: number;
  @issues()
  InProgress!: number;
  @issues()
  WaitingOnDependency!: number;
  @issues()
  PendingReview!: number;
  @issues()
  Resolved!: number;
  @issues()
  Closed!: number;
  waiting!: WaitingCountsResponse;

  static from(found: { status: Status; issues: number }[], onPerson: number): IssueCountsResponse {
    const none = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
    const counts = { ...none, ...Object.fromEntries(found.map((row) => [row.status, row.issues])) };
    const onWork = Math.max(0, counts.WaitingOnDependency - onPerson);
    return { ...counts, waiting: { onWork, onPerson } };
  }
}

export const activitySorts = ['createdAt', '-createdAt'] as const;
export type ActivitySort = (typeof activitySorts)[number];

/** A parameter that is given twice stays a list within the list, which then fails validation. */
const toTypes = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.split(',') : value === undefined ? undefined : [value];

/** Which rows of an issue's timeline are listed, and in which direction. */
export class ListActivityQuery extends PageQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    description: `One type, or several separated by commas: ${timelineTypes.join(', ')}.`,
    example: 'comment.created,gate.answered',
  })
  @Transform(toTypes)
  @MayBeAbsent()
  @IsIn(timelineTypes, { each: true, message: 'must be one or several types of the timeline' })
  @ArrayUnique({ message: 'must not name a type twice' })
  type?: TimelineType[];

  /** Only rows at or after this instant, in ISO 8601 with a time zone. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  from?: Date;

  /** Only rows before this instant. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  to?: Date;

  @ApiProperty({ enum: activitySorts, default: 'createdAt', required: false })
  @IsIn(activitySorts)
  sort: ActivitySort = 'createdAt';

  @ApiProperty({
    enum: ['summary'],
    required: false,
    description: '`summary` leaves out the contents of comments and the answers to gates.',
  })
  @MayBeAbsent()
  @IsIn(['summary'])
  fields?: 'summary';
}

/** One event of an issue's timeline. */
export class ActivityResponse {
  /** @example "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a10" */
  id!: string;
  issueId!: string;
  @ApiProperty({ enum: timelineTypes, enumName: 'ActivityType', example: 'issue.status_changed' })
  type!: TimelineType;
  actor!: ActorResponse;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Depends on the type. `issue.updated` has each field with `old` and `new`, `issue.status_changed` also its `cause`; ' +
      '`comment.created` has the `content` while the comment exists and `editedAt` where it was changed, `issue.tools_called` ' +
      'the `calls`, `failed` ones and `tools` of one turn, a `gate` its `title`, and `gate.answered` the `answer`.',
    example: { old: 'Open', new: 'InProgress', cause: 'picked_up' },
  })
  data!: Record<string, unknown>;
  createdAt!: Date;

  static from(row: TimelineRow): ActivityResponse {
    return {
      ...pick(row, 'id', 'issueId', 'type'),
      actor: { type: row.actorType, id: row.actorId, name: row.actorName },
      ...pick(row, 'data', 'createdAt'),
    };
  }
}

/** An unresolved issue that blocks this one. */
export class BlockerResponse {
  id!: string;
  /** @example "DOCS-2" */
  key!: string;
  /** @example "Collect the merged work" */
  title!: string;
  @ApiProperty({ enum: statuses, enumName: 'Status' })
  status!: Status;
}

/** An unresolved issue that is not itself blocked. */
export class RootBlockerResponse extends BlockerResponse {
  @ApiProperty({ type: AssigneeResponse, nullable: true })
  assignee!: AssigneeResponse | null;
}

/** A decision or answer of a person that an issue waits for. */
export class OpenGateResponse {
  id!: string;
  @ApiProperty({ enum: gateKinds, enumName: 'GateKind' })
  kind!: GateKind;
  /** @example "Which quarter should the report cover?" */
  title!: string;
  @ApiProperty({ enum: roles, enumName: 'Role', description: 'The least role that may answer.' })
  needsRole!: Role;
}

/** Why no agent works on an issue. */
export class ExplainResponse {
  /** Whether an agent works on the issue now. */
  running!: boolean;
  @ApiProperty({
    enum: explanations.map(({ reason }) => reason),
    enumName: 'ExplainReason',
    example: 'agent_silent',
  })
  reason!: Reason;
  @ApiProperty({ type: [OpenGateResponse], description: 'The decisions and answers that it waits for.' })
  gates!: OpenGateResponse[];
  @ApiProperty({ type: [BlockerResponse], description: 'The issues that block it directly.' })
  blockedBy!: BlockerResponse[];
  @ApiProperty({
    type: [RootBlockerResponse],
    description: 'The issues at the ends of all chains of blockers, which can be worked on now.',
  })
  rootBlockers!: RootBlockerResponse[];
  @ApiProperty({
    type: AssigneeResponse,
    nullable: true,
    description: 'Who must act; null when anyone may, or no one needs to.',
  })
  waitsFor!: AssigneeResponse | null;
  @ApiProperty({
    enum: roles,
    enumName: 'Role',
    nullable: true,
    description: 'The least role that may do what has to be done; null where no person has to act.',
  })
  needsRole!: Role | null;
  /** The gate whose answer lets the work go on; null where none does. Who may see it is decided by the gate. */
  gateId!: string | null;
  /**
   * What happens next, or what a person has to do for it.
   * @example "Release notes writer has sent no heartbeat since 2026-11-21T09:30:00.000Z. Check that it runs; it picks the issue up with its next one."
   */
  next!: string;

  static from(facts: IssueFacts): ExplainResponse {
    const { reason, waitsFor, next } = explanations.find(({ fits }) => fits(facts))!;
    const { gates, blockedBy } = facts;
    const rootBlockers = facts.rootBlockers.map((root) =>
      pick(root, 'id', 'key', 'title', 'status', 'assignee'),
    );
    const running = reason === 'running';
    return {
      ...{ running, reason, gates, blockedBy, rootBlockers },
      waitsFor: waitsFor(facts),
      ...neededOf(reason, facts),
      next: next(facts),
    };
  }
}
