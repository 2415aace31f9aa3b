import { ApiProperty } from '@nestjs/swagger';
import { roles, type Role } from '../../../../platform/auth/roles.js';
import type { PersonRow } from '../people.repository.js';

/** A user whom an issue can be assigned to, or who can act on one. */
export class PersonResponse {
  id!: string;
  /** @example "Ada Lovelace" */
  name!: string;
  @ApiProperty({ enum: roles, description: 'The role in the project, or the global one without a project.' })
  role!: Role;

  static from({ id, name, role }: PersonRow): PersonResponse {
    return { id, name, role };
  }
}
