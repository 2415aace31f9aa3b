import { ApiProperty } from '@nestjs/swagger';
import type { Settings } from '../../config/settings.js';
import { VERSION } from '../../config/version.js';
import { JSON_BODY_LIMIT } from '../../http/body/json-body.js';
import { MOST_ROWS } from '../../http/pages/page.query.js';

const whole = (description: string) => ApiProperty({ type: 'integer', description });

/** The limits that a client has to keep, or that determine its pace. */
export class LimitsResponse {
  @whole('The largest attachment in bytes.')
  attachmentMaxBytes!: number;
  @whole('The largest JSON body in bytes.')
  bodyMaxBytes!: number;
  @whole('The most rows of a page.')
  pageMaxRows!: number;
  @whole('How long a lease lasts without a renewal.')
  leaseSeconds!: number;
  @whole('The failed attempts after which an issue goes to a person.')
  maxAttempts!: number;
  @whole('How long a tool call may take without progress.')
  toolCallTimeoutMs!: number;
  @whole('How long a tool call may take in all.')
  toolCallHardLimitMs!: number;
  @whole('Requests per key and minute in each process; 0: no limit.')
  rateLimitPerMinute!: number;
}

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
    const { attachmentMaxBytes, leaseSeconds, maxAttempts, attachmentStore } = settings;
    const { toolCallTimeoutMs, toolCallHardLimitMs, rateLimitPerMinute, dashboard } = settings;
    return {
      version: VERSION,
      limits: {
        attachmentMaxBytes,
        bodyMaxBytes: JSON_BODY_LIMIT,
        pageMaxRows: MOST_ROWS,
        leaseSeconds,
        maxAttempts,
        toolCallTimeoutMs,
        toolCallHardLimitMs,
        rateLimitPerMinute,
      },
      features: { dashboard, toolApproval: settings.toolChangePolicy === 'withhold', attachmentStore },
    };
  }
}
