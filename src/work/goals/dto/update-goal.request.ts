import { PartialType } from '@nestjs/swagger';
import { CreateGoalRequest } from './create-goal.request.js';

/** An absent field stays as it is. */
export class UpdateGoalRequest extends PartialType(CreateGoalRequest, { skipNullProperties: false }) {}
