import type { FieldError } from '../../platform/http/problem.js';
import { AccessProfileEntry, type ApproverRole, type AskedTools } from './access.entities.js';
import type { AccessChange, ServerNames } from './server-grants.repository.js';

/** One entry of a change of access; `id` is the agent's or the server's, whichever the path does not name. */
export interface AccessEntry {
  id: string;
  granted: boolean;
  /** Of an entry without a grant; undefined refuses. */
  refused?: boolean;
  /** Names of tools, or null for all approved tools; undefined keeps what is set. */
  tools?: string[] | null;
  /** Which tools need an approval; undefined keeps what is set. */
  ask?: AskedTools;
  /** Who may approve; undefined keeps what is set. */
  approverRole?: ApproverRole;
  /** The name of the credential set; undefined keeps what is set. */
  credentialSet?: string;
}

/**
 * Returns the errors in the entries of a change of access, each with its path.
 * @param idField the name of the id in the request
 * @param namesOf returns what an entry may name of its server
 */
export function entryErrors(
  idField: 'agentId' | 'serverId',
  entries: readonly AccessEntry[],
  isKnown: (id: string) => boolean,
  namesOf: (id: string) => ServerNames | undefined,
): FieldError[] {
  const firstOf = new Map([...entries.entries()].toReversed().map(([index, { id }]) => [id, index]));
  return entries.flatMap((entry, index) => {
    const { id } = entry;
    const path = `entries[${index}].${idField}`;
    if (firstOf.get(id) !== index) return [{ path, message: 'appears twice' }];
    if (!isKnown(id))
      return [{ path, message: idField === 'agentId' ? 'is not an agent' : 'is not an installed server' }];
    return nameErrors(entry, namesOf(id), index);
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
  servers: ReadonlyMap<string, ServerNames>,
): FieldError[] {
  const pairOf = ({ agentId, serverId }: AccessPair) => `${agentId} ${serverId}`;
  const firstOf = new Map([...entries.entries()].toReversed().map(([index, pair]) => [pairOf(pair), index]));
  return entries.flatMap((pair, index) => {
    const errors: FieldError[] = [];
    const at = (field: string, message: string) =>
      errors.push({ path: `entries[${index}].${field}`, message });
    if (firstOf.get(pairOf(pair)) !== index) at('agentId', 'appears twice with this server');
    if (!isAgent(pair.agentId)) at('agentId', 'is not an agent');
    const names = servers.get(pair.serverId);
    if (names === undefined) at('serverId', 'is not an installed server');
    return errors.length > 0 ? errors : nameErrors(pair, names, index);
  });
}

/**
 * Returns the change that an entry makes, with the id of the credential set that it names. Without a name the set stays as it is, and a
 * new grant has the set `default` (contract §3.4).
 */
export function changeOfEntry(
  { credentialSet, ...change }: AccessPair,
  servers: ReadonlyMap<string, ServerNames>,
): AccessChange {
  if (credentialSet === undefined) return change;
  return { ...change, credentialSetId: servers.get(change.serverId)?.sets.get(credentialSet) };
}

/** What of an entry names something of its server. */
type NamingEntry = Pick<AccessEntry, 'tools' | 'ask' | 'credentialSet'>;

function nameErrors(
  { tools, ask, credentialSet }: NamingEntry,
  names: ServerNames | undefined,
  entry: number,
): FieldError[] {
  const known = names?.tools ?? null;
  const isSetKnown = credentialSet === undefined || names?.sets.has(credentialSet) === true;
  const path = `entries[${entry}].credentialSet`;
  return [
    ...toolErrors('tools', tools ?? [], known, entry),
    ...toolErrors('ask', Array.isArray(ask) ? ask : [], known, entry),
    ...(isSetKnown ? [] : [{ path, message: 'is not a credential set of this server' }]),
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

/** The access to one server that a profile gives. */
export interface ProfileEntry extends Pick<AccessProfileEntry, 'serverId' | 'tools' | 'ask'> {
  /** The name of the credential set. */
  credentialSet: string;
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
