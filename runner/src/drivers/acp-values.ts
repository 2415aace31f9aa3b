import { createHash, randomUUID } from 'node:crypto';
import type * as acp from '@agentclientprotocol/sdk';
import type { UsageReport } from 'agent-work-platform-client/worker';

const MICROS = 1_000_000;

/** The response to a prompt. The SDK has the draft of `usage` among its unstable types only. */
type Answered = Partial<acp.PromptResponse> & { usage?: Record<string, number> };

export const cancelled: acp.RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

/**
 * Returns what a person decides on. Some agents have one title for all calls, so it has what the call would do: the texts
 * and changes that the agent shows, or else its arguments.
 */
export function questionOf({ title, toolCallId, content, rawInput }: acp.ToolCallUpdate): string {
  const shown = (content ?? []).flatMap((one) => {
    if (one.type === 'diff') return [`${one.path}:\n${one.newText}`];
    return one.type === 'content' && one.content.type === 'text' ? [one.content.text] : [];
  });
  if (shown.length === 0 && rawInput !== undefined) shown.push(JSON.stringify(rawInput, null, 2));
  return [`May I: ${title ?? toolCallId}`, ...shown].join('\n\n');
}

/** Returns what distinguishes a question from another one. The text can be long, and hold secrets. */
export const digestOf = (question: string) => createHash('sha256').update(question).digest('base64');

/**
 * Returns the option of a person's answer to the same question, or of the configuration, or null: a person is to be
 * asked. @param answers by the digest of the question; one that is for once is used up
 */
export function permissionFor(
  { toolCall, options }: acp.RequestPermissionRequest,
  policy: 'allow' | 'ask' | 'deny',
  answers: Record<string, string>,
): acp.RequestPermissionResponse | null {
  const question = digestOf(questionOf(toolCall));
  const answered = options.find(({ name }) => name === answers[question]);
  if (answered?.kind.endsWith('_once')) delete answers[question];
  if (policy === 'ask' && !answered) return null;
  const kinds = policy === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const [known] = kinds.flatMap((kind) => options.filter((one) => one.kind === kind));
  const { optionId } = answered ?? known ?? {};
  return optionId === undefined ? cancelled : { outcome: { outcome: 'selected', optionId } };
}

/**
 * Returns what a turn has used, or null when the agent does not report it. Tokens stand in the response to the prompt,
 * in the protocol's field or in Gemini's; the cost is a sum over the session in an update.
 */
export function usageOf(
  issueId: string,
  answer: Answered,
  total: number,
  before: number,
): UsageReport | null {
  const { usage, _meta } = answer;
  const { quota } = (_meta ?? {}) as { quota?: { token_count?: Record<string, number> } };
  // A session that was begun again counts from zero.
  const cost = total >= before ? total - before : total;
  const figures = {
    inputTokens: count(usage?.['inputTokens'] ?? quota?.token_count?.['input_tokens']),
    outputTokens: count(usage?.['outputTokens'] ?? quota?.token_count?.['output_tokens']),
    cacheReadTokens: count(usage?.['cachedReadTokens']),
    cacheWriteTokens: count(usage?.['cachedWriteTokens']),
    costMicros: Math.round(cost * MICROS),
  };
  const isEmpty = Object.values(figures).every((figure) => figure === 0);
  return isEmpty ? null : { reportId: randomUUID(), issueId, ...figures };
}

export function tokensOf(report: UsageReport): number {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = report;
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

const count = (value: unknown) => (typeof value === 'number' && value > 0 ? Math.round(value) : 0);
