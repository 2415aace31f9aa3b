import type { AccessMatrix } from '../../../api/types';

type Agent = AccessMatrix['agents'][number];

/** The agents whose name has the words; those that were chosen come first, otherwise the order stays. */
export function inOrderOfChoice(
  agents: readonly Agent[],
  chosen: ReadonlySet<string>,
  words: string,
): Agent[] {
  const wanted = words.trim().toLowerCase();
  return agents
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .toSorted((one, other) => Number(chosen.has(other.id)) - Number(chosen.has(one.id)));
}
