import type { Halt } from '../halt/halt.service.js';

/** Whether all agents are stopped. */
export class HaltResponse {
  halted!: boolean;
  /** @example "Rotating all credentials." */
  reason!: string | null;

  static from({ halted, reason }: Halt): HaltResponse {
    return Object.assign(new HaltResponse(), { halted, reason });
  }
}
