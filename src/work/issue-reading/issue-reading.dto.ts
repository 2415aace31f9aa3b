import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { toWholeNumber } from '../../platform/http/validation.pipe.js';
import { type Status, statuses } from '../issue-status/issue-status.js';
import { ActorResponse, ExplainedIssueResponse } from './issue.response.js';
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
      '`comment.created` has the `content` while the comment exists, `issue.tools_called` the `calls`, `failed` ones and ' +
      '`tools` of one turn.',
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
