import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { visibilities, type ProjectVisibility } from '../project-row.js';
import { CreateProjectRequest } from './create-project.request.js';

const fixed = ['key', 'visibility'] as const;

/** An absent field stays as it is. The key cannot change; the visibility has no default here. */
export class UpdateProjectRequest extends PartialType(OmitType(CreateProjectRequest, fixed), {
  skipNullProperties: false,
}) {
  @ApiProperty({ enum: visibilities, required: false, example: 'open' })
  @MayBeAbsent()
  @IsIn(visibilities)
  visibility?: ProjectVisibility;
}
