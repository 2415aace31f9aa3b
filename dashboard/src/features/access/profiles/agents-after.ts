/**
 * The agents of a profile after a person has chosen: only what the person changed since the list was opened changes, and what
 * another admin changed meanwhile stays.
 */
export function agentsAfter(
  current: readonly string[],
  opened: readonly string[],
  chosen: readonly string[],
): string[] {
  const [before, after] = [new Set(opened), new Set(chosen)];
  const kept = current.filter((id) => after.has(id) || !before.has(id));
  const added = chosen.filter((id) => !before.has(id) && !kept.includes(id));
  return [...kept, ...added];
}
