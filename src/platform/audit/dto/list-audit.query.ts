import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayUnique, IsDate, IsIn, IsUUID } from 'class-validator';
import { toInstant } from '../../http/instant.js';
import { PageQuery } from '../../http/page.query.js';
import { MayBeAbsent } from '../../http/presence.decorators.js';
import { IsText } from '../../http/text-rules.js';
import { eventTypes, type EventType } from '../../journal/event-types.js';

/** `login.*` stands for every type that begins so. */
const families = [...new Set(eventTypes.map((type) => `${type.slice(0, type.lastIndexOf('.'))}.*`))];

/** A parameter that is given twice stays one list within the list, which no type is. */
const toTypes = ({ value }: { value: unknown }) => {
  if (typeof value !== 'string') return value === undefined ? undefined : [value];
  return value.split(',').flatMap((name) => {
    const named = eventTypes.filter((type) => name.endsWith('.*') && type.startsWith(name.slice(0, -1)));
    return named.length > 0 ? named : [name];
  });
};

export class ListAuditQuery extends PageQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    description: `One type, or several separated by commas: ${eventTypes.join(', ')}; or a family: ${families.join(', ')}.`,
    example: 'login.*,access.refused',
  })
  @Transform(toTypes)
  @MayBeAbsent()
  @IsIn(eventTypes, {
    each: true,
    message: 'must be one or several types of event, or a family such as login.*',
  })
  @ArrayUnique({ message: 'must not name a type twice' })
  type?: EventType[];

  /** Who did it: a user or an agent. */
  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of a user or an agent' })
  actorId?: string;

  /** What it was done to: the id of a user, key, agent, project, issue, server, or a route for access.refused. */
  @MayBeAbsent()
  @IsText({ min: 1, max: 300, unit: 'codePoints' })
  subjectId?: string;

  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of a project' })
  projectId?: string;

  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of an issue' })
  issueId?: string;

  /** Not before this instant, ISO 8601 with a zone. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: 'must be an instant such as 2026-11-21T09:30:00Z' })
  from?: Date;

  /** Before this instant. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: 'must be an instant such as 2026-11-21T09:30:00Z' })
  to?: Date;
}
