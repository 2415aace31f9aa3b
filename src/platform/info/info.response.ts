import { ApiProperty } from '@nestjs/swagger';
import type { Limits } from '../config/limits-in-bytes-numbers-and-retention.schema.js';
import { type Settings, VERSION } from '../config/settings.js';
import { MOST_ROWS } from '../http/page-and-cursor.query.js';

const STARTED = new Date(Date.now() - process.uptime() * 1000).toISOString();

const whole = (description: string) => ApiProperty({ type: 'integer', description });

/** The limits that a client has to keep, or that determine its pace: the budgets of the service, and the times of work. */
export class LimitsResponse implements Limits {
  @whole('The largest attachment in bytes.')
  attachmentMaxBytes!: number;
  @whole('The largest JSON body in bytes.')
  bodyMaxBytes!: number;
  @whole('The bytes of request bodies that the open requests of one caller may hold in a process.')
  bodiesMaxBytes!: number;
  @whole('The largest delivery of a code host in bytes.')
  codeDeliveryMaxBytes!: number;
  @whole('The most rows of a page.')
  pageMaxRows!: number;
  @whole('The bytes of text after which a page ends.')
  pageMaxBytes!: number;
  @whole('The largest JSON answer to a GET in bytes.')
  answerMaxBytes!: number;
  @whole('The bytes of answers that one caller may leave unread in a process.')
  unreadMaxBytes!: number;
  @whole('The unread bytes at which an event stream waits for its reader.')
  streamUnreadMaxBytes!: number;
  @whole('The event streams that one caller may have open in a process.')
  streamsPerPrincipal!: number;
  @whole('The requests that one caller may have open in a process.')
  requestsPerPrincipal!: number;
  @whole('The open connections of a process.')
  connectionsMax!: number;
  @whole('The comments that one agent may write per hour; 0: no limit.')
  commentsPerAgentHour!: number;
  @whole('The bytes of comments that one agent may write per hour; 0: no limit.')
  commentBytesPerAgentHour!: number;
  @whole('The attachments that one agent may upload per hour; 0: no limit.')
  attachmentsPerAgentHour!: number;
  @whole('The bytes of attachments that one agent may upload per hour; 0: no limit.')
  attachmentBytesPerAgentHour!: number;
  @whole('The usage reports that one agent may send per hour; 0: no limit.')
  usageReportsPerAgentHour!: number;
  @whole('The largest message of the MCP protocol in bytes.')
  mcpFrameMaxBytes!: number;
  @whole('The bytes of the tool definitions of one MCP server.')
  mcpToolsMaxBytes!: number;
  @whole('The bytes of the prompts, or of the resources, of one MCP server.')
  mcpListMaxBytes!: number;
  @whole('The longest text of a progress notification in bytes.')
  mcpNotificationMaxBytes!: number;
  @whole('The longest name of a called tool that is stored, in bytes.')
  mcpNameMaxBytes!: number;
  @whole('The MCP sessions, and subscriptions, that one agent may have open in a process.')
  mcpSessionsPerAgent!: number;
  @whole('The MiB of files that one MCP server may keep; 0: no limit.')
  mcpDiskMb!: number;
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

  static from(settings: Settings): LimitsResponse {
    const { attachmentMaxBytes, leaseSeconds, maxAttempts } = settings;
    const { toolCallTimeoutMs, toolCallHardLimitMs, rateLimitPerMinute } = settings;
    return {
      ...settings.limitsTogether,
      attachmentMaxBytes,
      pageMaxRows: MOST_ROWS,
      leaseSeconds,
      maxAttempts,
      toolCallTimeoutMs,
      toolCallHardLimitMs,
      rateLimitPerMinute,
    };
  }
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

/** A process of this installation that the one which answers knows of. */
export class ProcessResponse {
  /** @example api-1 */
  name!: string;
  @ApiProperty({
    enum: ['all', 'api', 'host', 'tools', 'worker'],
    description: 'What it does; host: MCP servers and background work.',
  })
  kind!: string;
  @ApiProperty({ enum: ['starting', 'ready', 'ending'] })
  state!: string;
  @ApiProperty({ format: 'date-time', description: 'When it was started.' })
  since!: string;
  @whole('How often it was started again because it had ended.')
  restarts!: number;
}

/** The version, limits and features of the service. */
export class InfoResponse {
  /** @example 0.1.0 */
  version!: string;
  limits!: LimitsResponse;
  features!: FeaturesResponse;
  /** The processes of the start that answered, in their order. */
  processes!: ProcessResponse[];

  static from(settings: Settings): InfoResponse {
    const { dashboard, attachmentStore } = settings;
    return {
      version: VERSION,
      limits: LimitsResponse.from(settings),
      features: { dashboard, toolApproval: settings.toolChangePolicy === 'withhold', attachmentStore },
      processes: settings.parent
        ? settings.parent.processes.map(({ name, kind, state, since, restarts }) => ({
            ...{ name, kind, state, since, restarts },
          }))
        : [{ name: 'main', kind: settings.role, state: 'ready', since: STARTED, restarts: 0 }],
    };
  }
}
