/** Condition: the agent gave the issue `i` back and does not get it yet (contract §7.2). @param agentId SQL */
export const isGivenBack = (agentId: string) =>
  `(i.given_back_by = ${agentId} AND i.given_back_until > now())`;

/** Condition: the agent did not give the issue `i` back, or may get it again. @param agentId SQL */
export const isNotGivenBack = (agentId: string) =>
  `(i.given_back_by IS DISTINCT FROM ${agentId} OR i.given_back_until <= now())`;

/**
 * Assignments for an issue that this agent gave back: it does not get it for a minute, doubling with each attempt up to
 * an hour. @param agentId SQL; null where no agent gave it back
 */
export const giveBackFor = (agentId: string) => `
  given_back_by = ${agentId}::uuid,
  given_back_until = CASE WHEN ${agentId}::uuid IS NOT NULL
    THEN now() + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 10))) END`;

/** Assignments for an issue `i` that its agent may get again at once, except where the condition holds. */
export const forgetGivenBackUnless = (condition: string) => `
  given_back_by = CASE WHEN ${condition} THEN i.given_back_by END,
  given_back_until = CASE WHEN ${condition} THEN i.given_back_until END`;
