import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../../platform/http/pick.js';
import { toolStates, type ToolState } from '../tools/tool-state.js';
import type { UpgradeReport } from '../upgrade/upgrade-report.js';
import { InstalledServerResponse, type ServerWithCatalogEntry } from './installed-server.response.js';
import { VerificationResponse } from './verification.response.js';

/** The state of a tool under the new version; agents see approved tools only. */
export class ToolAfterUpgradeResponse {
  /** @example echo */
  name!: string;
  @ApiProperty({ enum: toolStates, enumName: 'ToolState' })
  state!: ToolState;
}

/** What an upgrade did, or what a dry run found. */
export class UpgradeReportResponse {
  dryRun!: boolean;
  /** Whether the server runs the new version now. */
  applied!: boolean;
  /** @example 2026.8.31 */
  fromVersion!: string;
  /** @example 2026.9.2 */
  toVersion!: string;
  @ApiProperty({
    type: [String],
    description: 'Variables that need a value before the upgrade: set them with PUT.',
  })
  missingVariables!: string[];
  @ApiProperty({
    type: [String],
    description: 'Variables that the new version no longer declares; the upgrade deletes their values.',
  })
  droppedVariables!: string[];
  /** The verification of the new version; null if there was none. */
  verification!: VerificationResponse | null;
  @ApiProperty({ type: [ToolAfterUpgradeResponse] })
  tools!: ToolAfterUpgradeResponse[];

  static from(report: UpgradeReport): UpgradeReportResponse {
    const { verification, tools } = report;
    return {
      ...pick(report, 'dryRun', 'applied', 'fromVersion', 'toVersion'),
      ...pick(report, 'missingVariables', 'droppedVariables'),
      verification: verification && VerificationResponse.from(verification),
      tools: tools.map((tool) => pick(tool, 'name', 'state')),
    };
  }
}

/** The server after an upgrade, or unchanged where nothing was upgraded. */
export class UpgradedServerResponse extends InstalledServerResponse {
  upgrade!: UpgradeReportResponse;

  static of(server: ServerWithCatalogEntry, report: UpgradeReport): UpgradedServerResponse {
    return { ...InstalledServerResponse.from(server), upgrade: UpgradeReportResponse.from(report) };
  }
}
