import { PartialType } from '@nestjs/swagger';
import { pick } from '../../platform/http/pick.js';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import type { Goal } from './goal.entity.js';

export class CreateGoalRequest {
  /** @example "Release 2.0 by the end of March" */
  @IsText({ min: 1, max: 500, unit: 'codePoints', trim: true })
  title!: string;

  /** @example "Everything that has to be done before customers can upgrade." */
  @MayBeAbsent()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string;
}

/** An absent field stays as it is. */
export class UpdateGoalRequest extends PartialType(CreateGoalRequest, { skipNullProperties: false }) {}

/** A goal that issues of its project work towards. */
export class GoalResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  id!: string;
  projectId!: string;
  /** @example "Release 2.0 by the end of March" */
  title!: string;
  description!: string;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: Goal): GoalResponse {
    return pick(row, 'id', 'projectId', 'title', 'description', 'createdAt', 'updatedAt');
  }
}
