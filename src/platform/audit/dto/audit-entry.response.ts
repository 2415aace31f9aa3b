import { ApiProperty } from '@nestjs/swagger';
import { eventTypes, type EventType } from '../../journal/event-types.js';
import type { AuditRow } from '../audit.repository.js';

/** Who did something, by the name at that time. */
export class AuditActorResponse {
  @ApiProperty({ enum: ['user', 'agent', 'system'] })
  type!: 'user' | 'agent' | 'system';
  @ApiProperty({ type: String, nullable: true })
  id!: string | null;
  name!: string;
}

/** What something was done to. */
export class AuditSubjectResponse {
  /** @example user */
  type!: string;
  @ApiProperty({ type: String, nullable: true })
  id!: string | null;
}

/** One record of what happened. */
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
  /** What else there is to tell, by type; never a secret. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data!: Record<string, unknown>;
  /** Of the request that did it; null where the service did it by itself. */
  @ApiProperty({ type: String, nullable: true })
  requestId!: string | null;
  /** Address that the request came from. */
  @ApiProperty({ type: String, nullable: true, example: '198.51.100.7' })
  origin!: string | null;

  static from(row: AuditRow): AuditEntryResponse {
    const { id, type, at, projectId, issueId, data, requestId, origin } = row;
    const actor = { type: row.actorType, id: row.actorId, name: row.actorName };
    const subject = { type: row.subjectType, id: row.subjectId };
    const told = { id, type, at, actor, subject, projectId, issueId, data, requestId, origin };
    return Object.assign(new AuditEntryResponse(), told);
  }
}
