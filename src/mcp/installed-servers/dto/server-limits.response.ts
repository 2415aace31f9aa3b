import type { ServerLimits } from '../../processes/server-limits.js';

/** The limits that were set for one server; null: as its entry or the settings say. */
export class ServerLimitsResponse {
  /** @example 2048 */
  memoryMb!: number | null;
  /** @example null */
  processes!: number | null;
  /** @example null */
  openFiles!: number | null;
  /** @example 120 */
  callTimeoutSeconds!: number | null;

  static of({ memoryMb, processes, openFiles, callTimeoutSeconds }: ServerLimits): ServerLimitsResponse {
    return {
      memoryMb: memoryMb ?? null,
      processes: processes ?? null,
      openFiles: openFiles ?? null,
      callTimeoutSeconds: callTimeoutSeconds ?? null,
    };
  }
}
