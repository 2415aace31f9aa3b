import { IsBoolean } from 'class-validator';
import { pick } from '../platform/http/pick.js';
import { IsText } from '../platform/http/text-rules.js';
import { MayBeNull } from '../platform/http/validation.pipe.js';
import type { Halt } from './halt.service.js';

export class SetHaltRequest {
  @IsBoolean()
  halted!: boolean;

  /** @example "Rotating all credentials." */
  @MayBeNull()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  reason?: string | null;
}

/** Whether all agents are halted. */
export class HaltResponse {
  halted!: boolean;
  /** @example "Rotating all credentials." */
  reason!: string | null;

  static from(halt: Halt): HaltResponse {
    return pick(halt, 'halted', 'reason');
  }
}
