import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayUnique, IsIn, IsString } from 'class-validator';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import {
  eventFamilies,
  type EventType,
  eventTypes,
  toEventTypes,
} from '../../platform/journal/event-types.js';

export class EventsQuery {
  /** The same as the header Last-Event-ID, for clients that cannot set it on their first connection. The header wins. */
  @MayBeAbsent()
  @IsString()
  lastEventId?: string;

  /**
   * Id or key of a project: only its events.
   * @example DOCS
   */
  @MayBeAbsent()
  @IsString()
  projectId?: string;

  @ApiProperty({
    type: 'string',
    required: false,
    description: `Types of events, or families such as ${eventFamilies[0]}, separated by commas: only these.`,
    example: 'issue.*,comment.created',
  })
  @Transform(toEventTypes)
  @MayBeAbsent()
  @IsIn(eventTypes, {
    each: true,
    message: 'must be one or several types of event, or a family such as issue.*',
  })
  @ArrayUnique({ message: 'must not name a type twice' })
  types?: EventType[];
}
