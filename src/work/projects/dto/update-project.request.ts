import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import {
  assignmentRules,
  visibilities,
  type AssignmentRule,
  type ProjectVisibility,
} from '../project-row.js';
import { CreateProjectRequest } from './create-project.request.js';

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
