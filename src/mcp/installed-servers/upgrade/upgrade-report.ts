import type { ToolState } from '../tools/tool-state.js';
import type { Verification } from '../verification/verification.js';

/** What an upgrade did, or a dry run found that it would do. */
export interface UpgradeReport {
  dryRun: boolean;
  /** The server runs the new version now. */
  applied: boolean;
  fromVersion: string;
  toVersion: string;
  /** Variables that the new version needs a value for first; only a dry run tells them here. */
  missingVariables: string[];
  /** Variables with a value that the new version does not know any more: wiped. */
  droppedVariables: string[];
  /** Of the new version, beside the running one; null where it did not come to that. */
  verification: Verification | null;
  /** How the tools stand with the new version; empty where they were not listed. */
  tools: { name: string; state: ToolState }[];
}
