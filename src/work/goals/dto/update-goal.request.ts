import { PartialType } from '@nestjs/swagger';
import { CreateGoalRequest } from './create-goal.request.js';

/** Left out stays. */
export class UpdateGoalRequest extends PartialType(CreateGoalRequest, { skipNullProperties: false }) {}
