import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/presence.decorators.js';
import { visibilities, type ProjectVisibility } from '../project.entity.js';
import { CreateProjectRequest } from './create-project.request.js';

const fixed = ['key', 'visibility'] as const;

/** The key is fixed; the visibility has no default here: what is left out stays. */
export class UpdateProjectRequest extends PartialType(OmitType(CreateProjectRequest, fixed), {
  skipNullProperties: false,
}) {
  @ApiProperty({ enum: visibilities, required: false, example: 'members' })
  @MayBeAbsent()
  @IsIn(visibilities)
  visibility?: ProjectVisibility;
}
