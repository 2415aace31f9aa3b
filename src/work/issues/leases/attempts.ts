/** Returns whether the attempt that fails now is the last one, after which a person has to look (contract §7.2). */
export function isLastAttempt({ attempts }: { attempts: number }, maxAttempts: number): boolean {
  return attempts + 1 >= maxAttempts;
}

/** Assignment for an issue `i`: the count of failed attempts starts again at 0 where the condition holds. @param condition SQL */
export const resetAttemptsWhen = (condition: string) =>
  `attempts = CASE WHEN ${condition} THEN 0 ELSE i.attempts END`;
