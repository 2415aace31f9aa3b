import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsString,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { type Role, roles } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery } from '../../platform/http/page-and-cursor.query.js';
import { pick } from '../../platform/http/pick.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import type { MemberRow, PersonRow } from './project-member.repository.js';

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

/** A member of a project: a user or an agent. */
export class MemberResponse {
  userId!: string | null;
  agentId!: string | null;
  /** @example "Ada Lovelace" */
  name!: string;
  @ApiProperty({ enum: roles, enumName: 'Role' })
  role!: Role;

  static from(row: MemberRow): MemberResponse {
    return pick(row, 'userId', 'agentId', 'name', 'role');
  }
}

export class MemberEntry {
  /** Either this or agentId. */
  @ApiProperty({
    type: 'string',
    required: false,
    nullable: true,
    example: '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01',
  })
  @ValidateIf(({ userId, agentId }: MemberEntry) => userId != null || agentId == null)
  @IsString({ message: 'must be given, or agentId' })
  userId?: string | null;

  @ApiProperty({ type: 'string', required: false, nullable: true })
  @ValidateIf(({ agentId }: MemberEntry) => agentId != null)
  @IsString()
  @ValidateBy({
    name: 'alone',
    validator: { validate: isAlone, defaultMessage: () => 'must not be given beside userId' },
  })
  agentId?: string | null;

  @ApiProperty({
    enum: roles,
    enumName: 'Role',
    nullable: true,
    description: 'null removes the member.',
    example: 'Editor',
  })
  @ValidateIf((entry: MemberEntry) => entry.role !== null)
  @IsIn(roles)
  role!: Role | null;
}

function isAlone(_: unknown, found: ValidationArguments | undefined): boolean {
  const entry = found?.object as MemberEntry | undefined;
  return entry?.userId == null;
}

export class SetMembersRequest {
  @ApiProperty({ type: [MemberEntry] })
  @IsArray()
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => MemberEntry)
  entries!: MemberEntry[];
}
