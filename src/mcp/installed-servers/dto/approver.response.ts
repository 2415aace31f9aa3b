import { ApiProperty } from '@nestjs/swagger';
import type { Actor } from '../../../platform/journal/journal-context.js';

/** Who approved a tool. */
export class ApproverResponse {
  @ApiProperty({ enum: ['user', 'agent', 'system'] })
  type!: Actor['type'];
  id!: string | null;
  /** @example "Ada Lovelace" */
  name!: string;

  static from({ type, id, name }: Actor): ApproverResponse {
    return Object.assign(new ApproverResponse(), { type, id, name });
  }
}
