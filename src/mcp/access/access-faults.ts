import type { Fault } from '../../platform/http/problem.js';

/** A change of access as seen from one side: `id` names the other one. */
export interface Entry {
  id: string;
  granted: boolean;
  /** Names of tools, null for all approved ones; undefined leaves it as it is. */
  tools?: string[] | null;
}

/**
 * What is wrong with the entries of a change of access, each on its path.
 * @param idField the name of the id in the request
 * @param toolsOf names of the tools of an entry's server; null while they are not known yet, when any name will do
 */
export function faultsOfEntries(
  idField: 'agentId' | 'serverId',
  entries: readonly Entry[],
  isKnown: (id: string) => boolean,
  toolsOf: (id: string) => ReadonlySet<string> | null,
): Fault[] {
  const firstOf = new Map([...entries.entries()].toReversed().map(([index, { id }]) => [id, index]));
  return entries.flatMap(({ id, tools }, index) => {
    const path = `entries[${index}].${idField}`;
    if (firstOf.get(id) !== index) return [{ path, message: 'is named twice' }];
    if (!isKnown(id))
      return [{ path, message: idField === 'agentId' ? 'names no agent' : 'names no installed server' }];
    return faultsOfTools(tools ?? [], toolsOf(id), index);
  });
}

function faultsOfTools(tools: readonly string[], known: ReadonlySet<string> | null, entry: number): Fault[] {
  if (known === null) return [];
  return tools.flatMap((name, index) =>
    known.has(name)
      ? []
      : [{ path: `entries[${entry}].tools[${index}]`, message: 'names no tool of this server' }],
  );
}
