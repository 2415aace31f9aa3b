import { IsBoolean } from 'class-validator';
import { MayBeNull } from '../../platform/http/body/presence.decorators.js';
import { IsText } from '../../platform/http/body/text-rules.js';

export class SetHaltRequest {
  @IsBoolean()
  halted!: boolean;

  /** @example "Rotating all credentials." */
  @MayBeNull()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  reason?: string | null;
}
