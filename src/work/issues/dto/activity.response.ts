import { ApiProperty } from '@nestjs/swagger';
import { timelineTypes, type TimelineType } from '../timeline/timeline-types.js';
import type { TimelineRow } from '../timeline/timeline.repository.js';
import { ActorResponse } from './issue.response.js';

/** One thing that happened to an issue. */
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
      'By type: of `issue.updated` each field with `old` and `new`; of `issue.status_changed` also its `cause`; ' +
      'of `comment.created` also the `content`, as long as the comment is there.',
    example: { old: 'Open', new: 'InProgress', cause: 'picked_up' },
  })
  data!: Record<string, unknown>;
  createdAt!: Date;

  static from(row: TimelineRow): ActivityResponse {
    const { id, issueId, type, actorType, actorId, actorName, data, createdAt } = row;
    const actor = { type: actorType, id: actorId, name: actorName };
    return Object.assign(new ActivityResponse(), { id, issueId, type, actor, data, createdAt });
  }
}
