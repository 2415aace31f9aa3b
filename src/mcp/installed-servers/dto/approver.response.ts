import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../../platform/http/pick.js';
import type { Actor } from '../../../platform/journal/journal-context.js';

/** The person or service that approved a tool. */
export class ApproverResponse {
  @ApiProperty({ enum: ['user', 'agent', 'system'] })
  type!: Actor['type'];
  id!: string | null;
  /** @example "Ada Lovelace" */
  name!: string;

  static from(actor: Actor): ApproverResponse {
    return pick(actor, 'type', 'id', 'name');
  }
}
