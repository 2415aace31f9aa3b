import { ApiProperty } from '@nestjs/swagger';
import { toolStates, type ToolState } from '../tools/tool-state.js';
import type { UpgradeReport } from '../upgrade/upgrade-report.js';
import { fieldsOf, InstalledServerResponse, type ToldServer } from './installed-server.response.js';
import { VerificationResponse } from './verification.response.js';

/** A tool as it stands with the new version; agents are given approved ones only. */
export class ToolAfterUpgradeResponse {
  /** @example echo */
  name!: string;
  @ApiProperty({ enum: toolStates, enumName: 'ToolState' })
  state!: ToolState;
}

/** What an upgrade did, or a dry run found. */
export class UpgradeReportResponse {
  dryRun!: boolean;
  /** The server runs the new version now. */
  applied!: boolean;
  /** @example 2026.8.31 */
  fromVersion!: string;
  /** @example 2026.9.2 */
  toVersion!: string;
  @ApiProperty({
    type: [String],
    description: 'Variables that the new version needs a value for first: give them with PUT.',
  })
  missingVariables!: string[];
  @ApiProperty({
    type: [String],
    description: 'Variables whose value the new version does not take any more; wiped with the upgrade.',
  })
  droppedVariables!: string[];
  /** Of the new version; null where it did not come to that. */
  verification!: VerificationResponse | null;
  @ApiProperty({ type: [ToolAfterUpgradeResponse] })
  tools!: ToolAfterUpgradeResponse[];

  static from(report: UpgradeReport): UpgradeReportResponse {
    const {
      dryRun,
      applied,
      fromVersion,
      toVersion,
      missingVariables,
      droppedVariables,
      verification,
      tools,
    } = report;
    return Object.assign(new UpgradeReportResponse(), {
      ...{ dryRun, applied, fromVersion, toVersion, missingVariables, droppedVariables },
      verification: verification && VerificationResponse.from(verification),
      tools: tools.map(({ name, state }) => Object.assign(new ToolAfterUpgradeResponse(), { name, state })),
    });
  }
}

/** The server after an upgrade, or as it is where nothing was upgraded. */
export class UpgradedServerResponse extends InstalledServerResponse {
  upgrade!: UpgradeReportResponse;

  static of(told: ToldServer, report: UpgradeReport): UpgradedServerResponse {
    return Object.assign(new UpgradedServerResponse(), fieldsOf(told), {
      upgrade: UpgradeReportResponse.from(report),
    });
  }
}
