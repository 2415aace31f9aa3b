import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../platform/http/body/text-rules.js';

export class CreateGoalRequest {
  /** @example "Release 2.0 by the end of March" */
  @IsText({ min: 1, max: 500, unit: 'codePoints', trim: true })
  title!: string;

  /** @example "Everything that has to be done before customers can upgrade." */
  @MayBeAbsent()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string;
}
