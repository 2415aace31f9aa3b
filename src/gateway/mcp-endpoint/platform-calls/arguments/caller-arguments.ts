import { IsInt, Min } from 'class-validator';
import { IsText } from '../../../../platform/http/body/text-rules.js';
import { MayBeAbsent } from '../../../../platform/http/body/presence.decorators.js';

/** With what a caller of any platform tool shows which leases it holds. */
export class CallerArguments {
  @MayBeAbsent()
  @IsText({ min: 1, max: 64, unit: 'codePoints' })
  worker?: string;

  @MayBeAbsent()
  @IsInt()
  @Min(0)
  leaseToken?: number;
}
