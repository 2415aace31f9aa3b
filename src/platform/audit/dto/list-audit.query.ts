import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayUnique, IsDate, IsIn, IsUUID, Matches } from 'class-validator';
import { INSTANT_MESSAGE, toInstant } from '../../http/body/instant.js';
import { PageQuery } from '../../http/pages/page.query.js';
import { MayBeAbsent } from '../../http/body/presence.decorators.js';
import { IsText } from '../../http/body/text-rules.js';
import { eventFamilies, toEventTypes } from '../../journal/event-type-list.js';
import { eventTypes, type EventType } from '../../journal/event-types.js';

/** An id in the form of a UUID, or a key such as `DOCS-12`. */
const ISSUE = /^([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[A-Z][A-Z0-9]{1,9}-[1-9]\d{0,8})$/;

export class ListAuditQuery extends PageQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    description: `One type, or several separated by commas: ${eventTypes.join(', ')}; or a family: ${eventFamilies.join(', ')}.`,
    example: 'login.*,access.refused',
  })
  @Transform(toEventTypes)
  @MayBeAbsent()
  @IsIn(eventTypes, {
    each: true,
    message: 'must be one or several types of event, or a family such as login.*',
  })
  @ArrayUnique({ message: 'must not name a type twice' })
  type?: EventType[];

  /** The id of the user or agent that acted. */
  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of a user or an agent' })
  actorId?: string;

  /** The object of the action: the id of a user, key, agent, project, issue or server, or the route of an access.refused. */
  @MayBeAbsent()
  @IsText({ min: 1, max: 300, unit: 'codePoints' })
  subjectId?: string;

  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of a project' })
  projectId?: string;

  /** Id or key of an issue. Events of a deleted issue are found by its id alone. */
  @MayBeAbsent()
  @Matches(ISSUE, { message: 'must be the id or the key of an issue' })
  issueId?: string;

  /** Only entries at or after this instant, in ISO 8601 with a time zone. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  from?: Date;

  /** Only entries before this instant. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  to?: Date;
}
