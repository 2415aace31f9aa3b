import type { AccessMatrix, Profile } from '../../api/types';
import type { Place } from './grants';

/** A row of the matrix: a profile, or an agent. */
export interface Row extends Pick<Place, 'of' | 'id'> {
  name: string;
  /** How many agents have the profile; of agents whether they are disabled. */
  agents: number;
  disabled: boolean;
}

/** Profiles come first, because they give to several agents. `words` narrows both by name. */
export function rowsOf(
  { agents }: Pick<AccessMatrix, 'agents'>,
  profiles: readonly Profile[],
  words: string,
): Row[] {
  const rows: Row[] = [
    ...profiles.map(({ id, name, agentIds }) => ({
      of: 'profile' as const,
      id,
      name,
      agents: agentIds.length,
      disabled: false,
    })),
    ...agents.map(({ id, name, disabled }) => ({ of: 'agent' as const, id, name, agents: 0, disabled })),
  ];
  const wanted = words.trim().toLowerCase();
  return wanted === '' ? rows : rows.filter(({ name }) => name.toLowerCase().includes(wanted));
}
