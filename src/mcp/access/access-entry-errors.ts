import type { FieldError } from '../../platform/http/problem/problem.js';
import type { ApproverRole, AskedTools } from './access.repository.js';

/** One entry of a change of access; `id` is the agent's or the server's, whichever the path does not name. */
export interface AccessEntry {
  id: string;
  granted: boolean;
  /** Names of tools, or null for all approved tools; undefined keeps what is set. */
  tools?: string[] | null;
  /** Which tools need an approval; undefined keeps what is set. */
  ask?: AskedTools;
  /** Who may approve; undefined keeps what is set. */
  approverRole?: ApproverRole;
}

/**
 * Returns the errors in the entries of a change of access, each with its path.
 * @param idField the name of the id in the request
 * @param toolsOf returns the names of the tools of an entry's server, or null before its first listing, when every name
 *   is accepted
 */
export function entryErrors(
  idField: 'agentId' | 'serverId',
  entries: readonly AccessEntry[],
  isKnown: (id: string) => boolean,
  toolsOf: (id: string) => ReadonlySet<string> | null,
): FieldError[] {
  const firstOf = new Map([...entries.entries()].toReversed().map(([index, { id }]) => [id, index]));
  return entries.flatMap(({ id, tools, ask }, index) => {
    const path = `entries[${index}].${idField}`;
    if (firstOf.get(id) !== index) return [{ path, message: 'appears twice' }];
    if (!isKnown(id))
      return [{ path, message: idField === 'agentId' ? 'is not an agent' : 'is not an installed server' }];
    return namedToolErrors({ tools, ask }, toolsOf(id), index);
  });
}

/** One entry of a change that names both the agent and the server. */
export interface AccessPair extends Omit<AccessEntry, 'id'> {
  agentId: string;
  serverId: string;
}

/** Returns the errors in entries that name both sides; each pair may be named once. */
export function pairErrors(
  entries: readonly AccessPair[],
  isAgent: (id: string) => boolean,
  servers: ReadonlyMap<string, ReadonlySet<string> | null>,
): FieldError[] {
  const pairOf = ({ agentId, serverId }: AccessPair) => `${agentId} ${serverId}`;
  const firstOf = new Map([...entries.entries()].toReversed().map(([index, pair]) => [pairOf(pair), index]));
  return entries.flatMap((pair, index) => {
    const errors: FieldError[] = [];
    const at = (field: string, message: string) =>
      errors.push({ path: `entries[${index}].${field}`, message });
    if (firstOf.get(pairOf(pair)) !== index) at('agentId', 'appears twice with this server');
    if (!isAgent(pair.agentId)) at('agentId', 'is not an agent');
    const tools = servers.get(pair.serverId);
    if (tools === undefined) at('serverId', 'is not an installed server');
    return errors.length > 0 ? errors : namedToolErrors(pair, tools ?? null, index);
  });
}

function namedToolErrors(
  { tools, ask }: Pick<AccessEntry, 'tools' | 'ask'>,
  known: ReadonlySet<string> | null,
  entry: number,
): FieldError[] {
  return [
    ...toolErrors('tools', tools ?? [], known, entry),
    ...toolErrors('ask', Array.isArray(ask) ? ask : [], known, entry),
  ];
}

function toolErrors(
  field: 'tools' | 'ask',
  tools: readonly string[],
  known: ReadonlySet<string> | null,
  entry: number,
): FieldError[] {
  if (known === null) return [];
  return tools.flatMap((name, index) =>
    known.has(name)
      ? []
      : [
          {
            path: `entries[${entry}].${field}[${index}]`,
            message: 'is not the name of a tool of this server',
          },
        ],
  );
}
