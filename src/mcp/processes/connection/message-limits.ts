/** The largest messages and listings of a server, in bytes (contract §9.1). */
export interface MessageLimits {
  /** `MCP_FRAME_MAX_BYTES` */
  frameMaxBytes: number;
  /** `MCP_TOOLS_MAX_BYTES` */
  toolsMaxBytes: number;
}

export const DEFAULT_LIMITS: MessageLimits = {
  frameMaxBytes: 4 * 1024 * 1024,
  toolsMaxBytes: 8 * 1024 * 1024,
};
