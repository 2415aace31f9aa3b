import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../platform/http/pick.js';
import { ActorResponse } from './issue.response.js';
import { type TimelineRow, type TimelineType, timelineTypes } from './timeline.repository.js';

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
