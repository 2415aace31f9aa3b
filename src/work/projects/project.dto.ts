import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, Matches } from 'class-validator';
import { RecentUsageResponse } from '../../agents/usage-figures.response.js';
import { pick } from '../../platform/http/pick.js';
import { IsName, IsText } from '../../platform/http/text-rules.js';
import { MayBeAbsent, toBoolean } from '../../platform/http/validation.pipe.js';
import {
  type AssignmentRule,
  assignmentRules,
  type ProjectVisibility,
  visibilities,
} from './project.entity.js';
import type { ProjectRow } from './project-and-graph-lock.repository.js';

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
