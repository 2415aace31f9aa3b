import type { ToolState } from '../tools/tool-state.js';
import type { Verification } from '../verification/verification.js';

/** What an upgrade did, or what it would do according to a dry run. */
export interface UpgradeReport {
  dryRun: boolean;
  /** Whether the server runs the new version now. */
  applied: boolean;
  fromVersion: string;
  toVersion: string;
  /** Variables that need a value before the upgrade; an upgrade that is no dry run throws MissingVariables instead. */
  missingVariables: string[];
  /** Variables that the new version no longer declares; the upgrade deletes their values. */
  droppedVariables: string[];
  /** The verification of the new version beside the running one; null if there was none. */
  verification: Verification | null;
  /** The states of the tools under the new version; empty if they were not listed. */
  tools: { name: string; state: ToolState }[];
}
