import type { SettingValues } from './settings.schema.js';

/** The limits of one process in bytes and numbers (contract §9.1). `limits.schema.ts` describes each. */
export interface Limits {
  bodyMaxBytes: number;
  bodiesMaxBytes: number;
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

export function limitsOf(values: SettingValues): Limits {
  return {
    bodyMaxBytes: values.BODY_MAX_BYTES,
    bodiesMaxBytes: values.BODIES_MAX_BYTES,
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
