/** The usage of an agent or project that nothing was reported for. */
const none = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costMicros: 0,
  turns: 0,
  unreportedTurns: 0,
  toolCalls: 0,
  wallSeconds: 0,
};
export const NO_USAGE = { today: none, month: none };
