import { pick } from '../../platform/http/pick.js';
import type { Halt } from '../halt/halt.repository.js';

/** Whether all agents are halted. */
export class HaltResponse {
  halted!: boolean;
  /** @example "Rotating all credentials." */
  reason!: string | null;

  static from(halt: Halt): HaltResponse {
    return pick(halt, 'halted', 'reason');
  }
}
