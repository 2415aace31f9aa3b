import { z } from 'zod';
import { count } from './setting-rules.js';
import { shareOf } from './process-roles-and-plan.js';

/** How long rows are kept (contract §8.9). */
export const retentionSettings = {
  AUDIT_RETENTION_DAYS: count(0, 36_500)
    .default(0)
    .describe('Days after which a month of records of tool calls is dropped; 0 keeps them forever.'),
  USAGE_RETENTION_DAYS: count(0, 36_500)
    .default(0)
    .describe(
      'Days after which a month of usage reports and of sums per hour is dropped; 0 keeps them forever. Totals stay.',
    ),
  JOURNAL_RETENTION_DAYS: count(0, 36_500)
    .default(0)
    .describe('Days after which journal entries that belong to no issue are deleted; 0 keeps them forever.'),
  DELIVERY_RETENTION_DAYS: count(1, 36_500)
    .default(30)
    .describe('Days after which a month of deliveries of webhooks is dropped.'),
  TIMELINE_RETENTION_DAYS: count(0, 36_500)
    .default(0)
    .describe(
      'Days after which a month of the journal is dropped, with the timelines of issues; 0 keeps them forever. Needs JOURNAL_RETENTION_DAYS.',
    ),
  RETENTION_ARCHIVE: z
    .enum(['off', 'on'])
    .default('off')
    .describe('on: a month is dropped by age only once npm run archive has stored it.'),
};

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;

/**
 * The limits of the service in bytes and numbers (contract §9.1). A caller or a server that exceeds one gets an
 * error, and the service goes on. `GET /api/info` returns them all.
 */
export const limitSettings = {
  BODY_MAX_BYTES: count(128 * KIB, 64 * MIB)
    .default(MIB)
    .describe('Largest JSON body of a request in bytes.'),
  BODIES_MAX_BYTES: count(MIB, 4 * GIB)
    .default(32 * MIB)
    .describe('Bytes of request bodies that the open requests of one user or agent may hold in a process.'),
  CODE_DELIVERY_MAX_BYTES: count(MIB, 256 * MIB)
    .default(25 * MIB)
    .describe('Largest delivery of a code host in bytes.'),
  PAGE_MAX_BYTES: count(128 * KIB, 256 * MIB)
    .default(4 * MIB)
    .describe('Bytes of text after which a page of a list ends; the cursor continues after it.'),
  ANSWER_MAX_BYTES: count(MIB, GIB)
    .default(32 * MIB)
    .describe('Largest JSON answer to a GET in bytes.'),
  UNREAD_MAX_BYTES: count(MIB, 4 * GIB)
    .default(32 * MIB)
    .describe(
      'Bytes of answers to GET, heartbeats, turns and over MCP that one caller may leave unread in a process.',
    ),
  STREAM_UNREAD_MAX_BYTES: count(16 * KIB, 64 * MIB)
    .default(256 * KIB)
    .describe('Unread bytes at which an event stream waits for its reader.'),
  STREAMS_PER_PRINCIPAL: count(1, 100_000)
    .default(128)
    .describe('Event streams that one user or agent may have open in a process.'),
  REQUESTS_PER_PRINCIPAL: count(1, 100_000)
    .default(500)
    .describe('Requests of one user or agent that are open at once in a process.'),
  CONNECTIONS_MAX: count(16, 1_000_000)
    .default(8_192)
    .describe('Connections that are open at once in a process.'),
  COMMENTS_PER_AGENT_HOUR: count(0, 10_000_000)
    .default(3_000)
    .describe('Comments that one agent may write per hour; 0 is off.'),
  COMMENT_BYTES_PER_AGENT_HOUR: count(0, 100 * GIB)
    .default(32 * MIB)
    .describe('Bytes of comments that one agent may write per hour; 0 is off.'),
  ATTACHMENTS_PER_AGENT_HOUR: count(0, 10_000_000)
    .default(1_000)
    .describe('Attachments that one agent may upload per hour, beside those that replace one; 0 is off.'),
  ATTACHMENT_BYTES_PER_AGENT_HOUR: count(0, 900 * GIB)
    .default(2 * GIB)
    .describe(
      'Bytes of attachments that one agent may upload per hour; one that replaces another counts its growth. 0 is off.',
    ),
  USAGE_REPORTS_PER_AGENT_HOUR: count(0, 10_000_000)
    .default(36_000)
    .describe('Usage reports that one agent may send per hour; 0 is off.'),
  MCP_FRAME_MAX_BYTES: count(64 * KIB, 64 * MIB)
    .default(4 * MIB)
    .describe('Largest message of the MCP protocol in bytes, from and to agents and servers.'),
  MCP_TOOLS_MAX_BYTES: count(64 * KIB, 256 * MIB)
    .default(8 * MIB)
    .describe('Bytes of the tool definitions that one server may list.'),
  MCP_LIST_MAX_BYTES: count(64 * KIB, 64 * MIB)
    .default(MIB)
    .describe('Bytes of the prompts, or of the resources, of one server that agents get.'),
  MCP_NOTIFICATION_MAX_BYTES: count(256, MIB)
    .default(4 * KIB)
    .describe('Longest text of a progress notification in bytes; a longer one is cut.'),
  MCP_NAME_MAX_BYTES: count(64, 1024)
    .default(128)
    .describe('Longest name of a called tool that is stored, in bytes; a longer one is cut.'),
  MCP_SESSIONS_PER_AGENT: count(1, 4_096)
    .default(64)
    .describe('MCP sessions, and subscriptions, that one agent may have open in a process.'),
  MCP_DISK_MB: count(0, 1_048_576)
    .default(2_048)
    .describe('Files in MiB that one server may keep in its own folders; 0 is off.'),
};

/** The limits of one process in bytes and numbers (contract §9.1). */
export interface Limits {
  bodyMaxBytes: number;
  bodiesMaxBytes: number;
  codeDeliveryMaxBytes: number;
  pageMaxBytes: number;
  answerMaxBytes: number;
  unreadMaxBytes: number;
  streamUnreadMaxBytes: number;
  streamsPerPrincipal: number;
  requestsPerPrincipal: number;
  connectionsMax: number;
  /** 0 is off, as in the next four. */
  commentsPerAgentHour: number;
  commentBytesPerAgentHour: number;
  attachmentsPerAgentHour: number;
  attachmentBytesPerAgentHour: number;
  usageReportsPerAgentHour: number;
  mcpFrameMaxBytes: number;
  mcpToolsMaxBytes: number;
  mcpListMaxBytes: number;
  mcpNotificationMaxBytes: number;
  mcpNameMaxBytes: number;
  mcpSessionsPerAgent: number;
  /** 0 is off. */
  mcpDiskMb: number;
}

/** What the settings of the limits are parsed to. */
type LimitValues = z.infer<z.ZodObject<typeof limitSettings>>;

export function limitsOf(values: LimitValues): Limits {
  return {
    bodyMaxBytes: values.BODY_MAX_BYTES,
    bodiesMaxBytes: values.BODIES_MAX_BYTES,
    codeDeliveryMaxBytes: values.CODE_DELIVERY_MAX_BYTES,
    pageMaxBytes: values.PAGE_MAX_BYTES,
    answerMaxBytes: values.ANSWER_MAX_BYTES,
    unreadMaxBytes: values.UNREAD_MAX_BYTES,
    streamUnreadMaxBytes: values.STREAM_UNREAD_MAX_BYTES,
    streamsPerPrincipal: values.STREAMS_PER_PRINCIPAL,
    requestsPerPrincipal: values.REQUESTS_PER_PRINCIPAL,
    connectionsMax: values.CONNECTIONS_MAX,
    commentsPerAgentHour: values.COMMENTS_PER_AGENT_HOUR,
    commentBytesPerAgentHour: values.COMMENT_BYTES_PER_AGENT_HOUR,
    attachmentsPerAgentHour: values.ATTACHMENTS_PER_AGENT_HOUR,
    attachmentBytesPerAgentHour: values.ATTACHMENT_BYTES_PER_AGENT_HOUR,
    usageReportsPerAgentHour: values.USAGE_REPORTS_PER_AGENT_HOUR,
    mcpFrameMaxBytes: values.MCP_FRAME_MAX_BYTES,
    mcpToolsMaxBytes: values.MCP_TOOLS_MAX_BYTES,
    mcpListMaxBytes: values.MCP_LIST_MAX_BYTES,
    mcpNotificationMaxBytes: values.MCP_NOTIFICATION_MAX_BYTES,
    mcpNameMaxBytes: values.MCP_NAME_MAX_BYTES,
    mcpSessionsPerAgent: values.MCP_SESSIONS_PER_AGENT,
    mcpDiskMb: values.MCP_DISK_MB,
  };
}

/**
 * The limits of one of several processes of a start: those that hold for the machine are divided among them. Not the sessions
 * of an agent, since each of them comes to be in every process that its requests reach.
 */
export function dividedLimits(limits: Limits, apis: number): Limits {
  const { bodyMaxBytes, answerMaxBytes } = limits;
  return {
    ...limits,
    connectionsMax: shareOf(limits.connectionsMax, apis),
    requestsPerPrincipal: shareOf(limits.requestsPerPrincipal, apis),
    streamsPerPrincipal: shareOf(limits.streamsPerPrincipal, apis),
    // What one request may have must fit.
    bodiesMaxBytes: shareOf(limits.bodiesMaxBytes, apis, bodyMaxBytes),
    unreadMaxBytes: shareOf(limits.unreadMaxBytes, apis, answerMaxBytes),
  };
}
