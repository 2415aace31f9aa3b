import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayUnique, IsDate, IsIn, IsUUID, Matches } from 'class-validator';
import { PageQuery } from '../http/page-and-cursor.query.js';
import { pick } from '../http/pick.js';
import { INSTANT_MESSAGE, IsText, toInstant } from '../http/text-and-instant-rules.js';
import { MayBeAbsent } from '../http/validation.pipe.js';
import { eventFamilies, type EventType, eventTypes, toEventTypes } from '../journal/event-types.js';
import type { AuditRow } from './audit-filters-and-subjects.repository.js';

/** The user, agent or system that acted, with its name at that time. */
export class AuditActorResponse {
  @ApiProperty({ enum: ['user', 'agent', 'system'] })
  type!: 'user' | 'agent' | 'system';
  @ApiProperty({ type: String, nullable: true })
  id!: string | null;
  name!: string;
}

/** The object of the action. */
export class AuditSubjectResponse {
  /** @example user */
  type!: string;
  @ApiProperty({ type: String, nullable: true })
  id!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'GitHub',
    description: 'The present name of a server; null for other objects, and once the server is removed.',
  })
  name!: string | null;
}

/** One entry of the audit. */
export class AuditEntryResponse {
  id!: string;
  @ApiProperty({ enum: eventTypes, enumName: 'EventType', example: 'login.failed' })
  type!: EventType;
  at!: Date;
  actor!: AuditActorResponse;
  subject!: AuditSubjectResponse;
  @ApiProperty({ type: String, nullable: true })
  projectId!: string | null;
  @ApiProperty({ type: String, nullable: true })
  issueId!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'DOCS-12',
    description: 'null once the issue is deleted.',
  })
  issueKey!: string | null;
  /** Further details, which depend on the type and never hold a secret. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: Record<string, unknown>;
  /** The id of the request; null where the service acted on its own. */
  @ApiProperty({ type: String, nullable: true })
  requestId!: string | null;
  /** The address that the request came from. */
  @ApiProperty({ type: String, nullable: true, example: '198.51.100.7' })
  origin!: string | null;

  static from(row: AuditRow): AuditEntryResponse {
    return {
      ...pick(row, 'id', 'type', 'at'),
      actor: { type: row.actorType, id: row.actorId, name: row.actorName },
      subject: { type: row.subjectType, id: row.subjectId, name: row.subjectName },
      ...pick(row, 'projectId', 'issueId', 'issueKey', 'data', 'requestId', 'origin'),
    };
  }
}

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
