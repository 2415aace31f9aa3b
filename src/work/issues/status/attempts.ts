/** Returns whether the attempt that fails now is the last one, after which a person has to look (contract §7.2). */
export function isLastAttempt({ attempts }: { attempts: number }, maxAttempts: number): boolean {
  return attempts + 1 >= maxAttempts;
}
