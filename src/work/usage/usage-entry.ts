/** What a reported increment counts. */
export interface ReportedFigures {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  costMicros: number;
}

/** An increment of usage. Absent figures are 0; without `projectId` it is that of the issue. */
export interface UsageEntry extends Partial<ReportedFigures> {
  agentId: string;
  projectId?: string | null;
  issueId: string | null;
  model?: string | null;
  turns?: number;
  reportedTurns?: number;
  toolCalls?: number;
  wallMs?: number;
}

/** The counters of all sums: field of an entry and column of the tables. */
export const counters = [
  ['inputTokens', 'input_tokens'],
  ['outputTokens', 'output_tokens'],
  ['cacheReadTokens', 'cache_read_tokens'],
  ['cacheWriteTokens', 'cache_write_tokens'],
  ['costMicros', 'cost_micros'],
  ['turns', 'turns'],
  ['reportedTurns', 'reported_turns'],
  ['toolCalls', 'tool_calls'],
  ['wallMs', 'wall_ms'],
] as const satisfies readonly [keyof UsageEntry, string][];
