import type { FieldError } from '../../../platform/http/problem/problem.js';
import { Problem } from '../../../platform/http/problem/problem.js';
import { entryErrors } from '../access-entry-errors.js';
import type { ServerNames } from '../access.repository.js';
import type { ProfileEntry } from './profiles.repository.js';

export class ProfileNameTaken extends Problem {
  constructor(name: string) {
    super('name_taken', `Another profile is called '${name}'; choose another name.`);
  }
}

/** Returns the errors in the entries of a profile, each with its path. */
export function profileEntryErrors(
  entries: readonly ProfileEntry[],
  servers: ReadonlyMap<string, ServerNames>,
): FieldError[] {
  return entryErrors(
    'serverId',
    entries.map(({ serverId, ...entry }) => ({ ...entry, id: serverId, granted: true })),
    (id) => servers.has(id),
    (id) => servers.get(id),
  );
}

/** Returns the errors in the agents of a profile, each with its path. */
export function agentErrors(agentIds: readonly string[], agents: ReadonlySet<string>): FieldError[] {
  return agentIds.flatMap((id, index) => {
    const path = `agentIds[${index}]`;
    if (agentIds.indexOf(id) < index) return [{ path, message: 'appears twice' }];
    return agents.has(id) ? [] : [{ path, message: 'is not an agent' }];
  });
}
