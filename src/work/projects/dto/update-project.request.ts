import { OmitType, PartialType } from '@nestjs/swagger';
import { CreateProjectRequest } from './create-project.request.js';

/** The key is fixed. */
export class UpdateProjectRequest extends PartialType(OmitType(CreateProjectRequest, ['key'] as const), {
  skipNullProperties: false,
}) {}
