import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../http/pick.js';
import { eventTypes, type EventType } from '../../journal/event-types.js';
import type { AuditRow } from '../audit.repository.js';

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
