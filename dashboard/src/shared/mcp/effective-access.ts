import type { AccessMatrix, ApproverRole, Ask, Profile, ProfileEntry } from '../../api/types';

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

/** `All 22 tools` or `7 of 22 tools`; `total` is null before the first listing. */
export function extentWords(tools: readonly string[] | null, total: number | null): string {
  if (tools === null) return total === null ? 'All tools' : `All ${total} tools`;
  return total === null ? `${tools.length} tools` : `${tools.length} of ${total} tools`;
}

/** Which calls a person approves first, and who that may be; null where no call needs it. */
export function askWords(ask: Ask, approver: ApproverRole): string | null {
  if (ask === null) return null;
  const who = `${approver}s${approver === 'Admin' ? '' : ' and above'} approve`;
  if (ask === 'writes') return `${who} each call that may change something`;
  return `${who} calls of ${ask.length === 1 ? ask[0] : `${ask.length} tools`}`;
}

/** Where a right comes from: `granted`, `by Writers`, `granted and by 2 profiles`. */
export function sourceWords({ isGranted, profiles }: Pick<Effective, 'isGranted' | 'profiles'>): string {
  if (profiles.length === 0) return 'granted';
  const by = profiles.length === 1 ? `by ${profiles[0]}` : `by ${profiles.length} profiles`;
  return isGranted ? `granted and ${by}` : by;
}

type Cell = AccessMatrix['cells'][number];

/** What one profile gives an agent of a server. */
export interface Given {
  profile: string;
  entry: ProfileEntry;
}

/** What an agent may use of a server, from all sources (contract §3.6). */
export interface Effective {
  /** Null is all approved tools. */
  tools: readonly string[] | null;
  ask: Ask;
  approver: ApproverRole;
  credentialSet: string;
  isGranted: boolean;
  /** The names of the profiles that give it. */
  profiles: readonly string[];
}

/** The cells and profiles of the matrix by agent and server: 500 agents and 50 servers are 25,000 places. */
export interface AccessIndex {
  cellOf: (agentId: string, serverId: string) => Cell | undefined;
  /** What the profiles of an agent give, by the code points of their names, whether or not it is refused. */
  givenTo: (agentId: string, serverId: string) => readonly Given[];
  profiles: readonly Profile[];
}

const nothing: readonly Given[] = [];

export function indexOf({ cells }: Pick<AccessMatrix, 'cells'>, all: readonly Profile[]): AccessIndex {
  const byPair = new Map(cells.map((cell) => [`${cell.agentId} ${cell.serverId}`, cell]));
  const profiles = all.toSorted((one, other) => byCodePoints(one.name, other.name));
  const given = new Map<string, Given[]>();
  for (const { name: profile, agentIds, entries } of profiles)
    for (const agentId of agentIds)
      for (const entry of entries) {
        const key = `${agentId} ${entry.serverId}`;
        given.set(key, [...(given.get(key) ?? []), { profile, entry }]);
      }
  return {
    profiles,
    cellOf: (agentId, serverId) => byPair.get(`${agentId} ${serverId}`),
    givenTo: (agentId, serverId) => given.get(`${agentId} ${serverId}`) ?? nothing,
  };
}

/** Returns what an agent may use of a server; null where it has nothing, or is refused. */
export function effectiveAccess(index: AccessIndex, agentId: string, serverId: string): Effective | null {
  const cell = index.cellOf(agentId, serverId);
  if (cell?.granted === false) return null;
  return unionOf(cell ?? null, index.givenTo(agentId, serverId));
}

/** Adds a grant and what profiles give: all tools of all of them, and every approval that one of them asks for. */
export function unionOf(
  grant: Pick<Cell, 'tools' | 'ask' | 'approverRole' | 'credentialSet'> | null,
  given: readonly Given[],
): Effective | null {
  const sources = [...(grant ? [grant] : []), ...given.map(({ entry }) => entry)];
  if (sources.length === 0) return null;
  return {
    tools: sources.some(({ tools }) => tools === null)
      ? null
      : [...new Set(sources.flatMap(({ tools }) => tools ?? []))],
    ask: sources.map(({ ask }) => ask).reduce(moreAsked),
    approver: grant?.approverRole ?? 'Editor',
    credentialSet: sources[0]!.credentialSet,
    isGranted: grant !== null,
    profiles: given.map(({ profile }) => profile),
  };
}

/** Where both apply, the calls that may change something stand for the named ones too. */
function moreAsked(one: Ask, other: Ask): Ask {
  if (one === 'writes' || other === 'writes') return 'writes';
  return one === null || other === null ? (one ?? other) : [...new Set([...one, ...other])];
}

/** The order of PostgreSQL's collation "C", which decides whose credential set is used. */
function byCodePoints(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const at = a.findIndex((character, index) => character !== b[index]);
  if (at === -1) return a.length - b.length;
  return a[at]!.codePointAt(0)! - (b[at]?.codePointAt(0) ?? -1);
}
