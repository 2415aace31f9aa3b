import { randomUUID } from 'node:crypto';
import type { UsageReport } from '../run/run-state.js';

const MICROS = 1_000_000;
type Fields = Record<string, unknown>;

/**
 * Returns what a turn has used, or null when the agent does not report it. Tokens stand in the response to the prompt,
 * in the protocol's draft field or in Gemini's; the cost is a sum over the session in an update.
 */
export function usageOf(
  issueId: string,
  response: unknown,
  costNow: number,
  costBefore: number,
): UsageReport | null {
  const usage = fieldsOf(fieldsOf(response)['usage']);
  const quota = fieldsOf(fieldsOf(fieldsOf(fieldsOf(response)['_meta'])['quota'])['token_count']);
  // A session that was begun again counts from zero.
  const cost = costNow >= costBefore ? costNow - costBefore : costNow;
  const report = {
    inputTokens: count(usage['inputTokens'] ?? quota['input_tokens']),
    outputTokens: count(usage['outputTokens'] ?? quota['output_tokens']),
    cacheReadTokens: count(usage['cachedReadTokens']),
    cacheWriteTokens: count(usage['cachedWriteTokens']),
    costMicros: Math.round(cost * MICROS),
  };
  if (Object.values(report).every((figure) => figure === 0)) return null;
  return { reportId: randomUUID(), issueId, ...report };
}

export function tokensOf(report: UsageReport): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = report;
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

const count = (value: unknown) => (typeof value === 'number' && value > 0 ? Math.round(value) : 0);
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
