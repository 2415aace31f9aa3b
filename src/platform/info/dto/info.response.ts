import { ApiProperty } from '@nestjs/swagger';
import type { Settings } from '../../config/settings.js';
import { VERSION } from '../../config/version.js';
import { LimitsResponse } from './limits.response.js';

/** What this installation does and another may not. */
export class FeaturesResponse {
  @ApiProperty({ description: 'Whether the service serves the dashboard at /.' })
  dashboard!: boolean;
  @ApiProperty({ description: 'Whether a tool that changed is withheld until an Admin approves it.' })
  toolApproval!: boolean;
  @ApiProperty({ enum: ['disk', 's3'], description: 'Where attachments are stored.' })
  attachmentStore!: 'disk' | 's3';
}

/** The version, limits and features of the service. */
export class InfoResponse {
  /** @example 0.1.0 */
  version!: string;
  limits!: LimitsResponse;
  features!: FeaturesResponse;

  static from(settings: Settings): InfoResponse {
    const { dashboard, attachmentStore } = settings;
    return {
      version: VERSION,
      limits: LimitsResponse.from(settings),
      features: { dashboard, toolApproval: settings.toolChangePolicy === 'withhold', attachmentStore },
    };
  }
}
