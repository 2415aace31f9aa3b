import { randomUUID } from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk';
import type { UsageReport } from '../service/service.js';

const MICROS = 1_000_000;
type Fields = Record<string, unknown>;

export const cancelled: acp.RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

export const titleOf = ({ title, toolCallId }: { title?: string | null; toolCallId: string }) =>
  title ?? toolCallId;

/**
 * Returns the option of a person's answer to the same question, or of the configuration, or null: a person is to be
 * asked. @param answers by the title of the tool call; one that is for once is used up
 */
export function permissionFor(
  { toolCall, options }: acp.RequestPermissionRequest,
  policy: 'allow' | 'ask' | 'deny',
  answers: Record<string, string>,
): acp.RequestPermissionResponse | null {
  const title = titleOf(toolCall);
  const answered = options.find(({ name }) => name === answers[title]);
  if (answered?.kind.endsWith('_once')) delete answers[title];
  if (answered) return selected(answered);
  if (policy === 'ask') return null;
  const kinds = policy === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const known = kinds.flatMap((kind) => options.find((one) => one.kind === kind) ?? []);
  return known[0] ? selected(known[0]) : cancelled;
}

const selected = ({ optionId }: acp.PermissionOption): acp.RequestPermissionResponse => ({
  outcome: { outcome: 'selected', optionId },
});

/**
 * Returns what a turn has used, or null when the agent does not report it. Tokens stand in the response to the prompt,
 * in the protocol's draft field or in Gemini's; the cost is a sum over the session in an update.
 */
export function usageOf(issueId: string, response: unknown, costNow: number, costBefore: number) {
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
  const isEmpty = Object.values(report).every((figure) => figure === 0);
  return isEmpty ? null : { reportId: randomUUID(), issueId, ...report };
}

export function tokensOf(report: UsageReport): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = report;
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

const count = (value: unknown) => (typeof value === 'number' && value > 0 ? Math.round(value) : 0);
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
