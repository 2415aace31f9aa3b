import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsString,
  Matches,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationArguments,
} from 'class-validator';
import { RecentUsageResponse } from '../../agents/usage-figures.response.js';
import { pick } from '../../platform/http/pick.js';
import { IsName, IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, toBoolean } from '../../platform/http/validation.pipe.js';
import { type Role, roles } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery } from '../../platform/http/page-and-cursor.query.js';
import {
  type AssignmentRule,
  assignmentRules,
  type ProjectVisibility,
  visibilities,
} from './project.entity.js';
import type { MemberRow, PersonRow, ProjectRow } from './projects-members-and-graph-lock.repository.js';

export class CreateProjectRequest {
  /**
   * The prefix of its issues' keys, as in DOCS-12. It never changes.
   * @example DOCS
   */
  @Matches(/^[A-Z][A-Z0-9]{1,9}$/, { message: 'must be 2 to 10 of A-Z and 0-9, a letter first' })
  key!: string;

  /** @example Documentation */
  @IsName()
  name!: string;

  /** @example "Everything that people read about the product." */
  @MayBeAbsent()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string;

  @ApiProperty({
    enum: visibilities,
    default: 'open',
    required: false,
    description: 'open: every user sees the project; members: only its members do.',
  })
  @MayBeAbsent()
  @IsIn(visibilities)
  visibility?: ProjectVisibility;

  @ApiProperty({
    enum: assignmentRules,
    default: 'any',
    required: false,
    description:
      'To whom agents may assign the issues that they create here: all agents, or themselves only.',
  })
  @MayBeAbsent()
  @IsIn(assignmentRules)
  agentsMayAssign?: AssignmentRule;
}

const fixed = ['key', 'visibility', 'agentsMayAssign'] as const;

/** An absent field stays as it is. The key cannot change; what has a default at creation has none here. */
export class UpdateProjectRequest extends PartialType(OmitType(CreateProjectRequest, fixed), {
  skipNullProperties: false,
}) {
  @ApiProperty({ enum: visibilities, required: false, example: 'open' })
  @MayBeAbsent()
  @IsIn(visibilities)
  visibility?: ProjectVisibility;

  @ApiProperty({ enum: assignmentRules, required: false, example: 'any' })
  @MayBeAbsent()
  @IsIn(assignmentRules)
  agentsMayAssign?: AssignmentRule;
}

/** A deletion must be confirmed. */
export class ConfirmQuery {
  @ApiProperty({ type: 'boolean', required: false, default: false, description: 'Must be true.' })
  @Transform(toBoolean)
  @IsBoolean({ message: 'must be true or false' })
  confirm: boolean = false;
}

/** A project, which issues belong to. */
export class ProjectResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a04 */
  id!: string;
  /** @example DOCS */
  key!: string;
  /** @example Documentation */
  name!: string;
  description!: string;
  @ApiProperty({ enum: visibilities })
  visibility!: ProjectVisibility;
  @ApiProperty({
    enum: assignmentRules,
    description: 'To whom agents may assign the issues that they create: all agents, or themselves only.',
  })
  agentsMayAssign!: AssignmentRule;
  usage!: RecentUsageResponse;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: ProjectRow): ProjectResponse {
    const its = pick(row, 'id', 'key', 'name', 'description', 'visibility', 'agentsMayAssign');
    return { ...its, ...pick(row, 'usage', 'createdAt', 'updatedAt') };
  }
}

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
