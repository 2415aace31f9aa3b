import type { AccessMatrix } from '../../api/types';
import { effectiveAccess, type AccessIndex } from './effective-access';

/** Who depends on a credential set. */
export interface SetUsers {
  /** The names of the agents whose calls use it. */
  agents: readonly string[];
  /** The names of the agents whose grant names it, and of the profiles that name it: the set cannot be deleted. */
  namedBy: readonly string[];
}

export function usersOfSet(
  index: AccessIndex,
  { agents, cells }: Pick<AccessMatrix, 'agents' | 'cells'>,
  serverId: string,
  set: string,
): SetUsers {
  const nameOf = new Map(agents.map(({ id, name }) => [id, name]));
  const granting = cells.filter(
    (cell) => cell.granted && cell.serverId === serverId && cell.credentialSet === set,
  );
  const giving = index.profiles.filter(({ entries }) =>
    entries.some((entry) => entry.serverId === serverId && entry.credentialSet === set),
  );
  return {
    agents: agents
      .filter(({ id }) => effectiveAccess(index, id, serverId)?.credentialSet === set)
      .map(({ name }) => name),
    namedBy: [
      ...granting.map(({ agentId }) => nameOf.get(agentId) ?? agentId),
      ...giving.map(({ name }) => name),
    ],
  };
}

/** `Triage`, `Triage and Coder`, `Triage, Coder and 3 more`. */
export function namesOf(names: readonly string[]): string {
  if (names.length <= 1) return names[0] ?? '';
  if (names.length <= 3) return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
}
