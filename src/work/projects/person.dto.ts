import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { type Role, roles } from '../../platform/authentication/principal.js';
import { PageQuery } from '../../platform/http/page.query.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import type { PersonRow } from './project-member.repository.js';

export class PeopleQuery extends PageQuery {
  /**
   * Id or key of a project: only those who see it, with their role there.
   * @example DOCS
   */
  @MayBeAbsent()
  @IsString()
  projectId?: string;
}

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
