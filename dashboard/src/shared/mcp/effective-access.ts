import type { AccessMatrix, ApproverRole, Ask, Profile, ProfileEntry } from '../../api/types';

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
