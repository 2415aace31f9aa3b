import type { AccessMatrix, ApproverRole, Ask, Profile, ProfileEntry } from '../../api/types';
import type { AccessEntry } from '../../shared/mcp/queries';
import { type AccessIndex, type Effective, type Given, unionOf } from '../../shared/mcp/effective-access';

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

/**
 * How much an agent or a profile has of a server: nothing, all approved tools, or the named ones. An agent that is
 * refused a server does not have it, whatever its profiles say.
 */
export type Extent = 'none' | 'refused' | 'all' | readonly string[];

/** What a cell says itself: how much, whose calls a person approves with which role, and with which credential set. */
export interface Grant {
  has: Extent;
  ask: Ask;
  approver: ApproverRole;
  set: string;
}

/** Where in the matrix: the row of an agent or a profile, and the column of a server. */
export interface Place {
  of: 'agent' | 'profile';
  id: string;
  serverId: string;
}

export const noGrant: Grant = { has: 'none', ask: null, approver: 'Editor', set: 'default' };

type Cell = AccessMatrix['cells'][number];

/** What the service has saved for a place. */
export function savedGrant(index: AccessIndex, { of, id, serverId }: Place): Grant {
  if (of === 'agent') {
    const cell = index.cellOf(id, serverId);
    if (cell === undefined) return noGrant;
    return cell.granted ? grantOf(cell) : { ...noGrant, has: 'refused' };
  }
  const profile = index.profiles.find((one) => one.id === id);
  const entry = profile?.entries.find((one) => one.serverId === serverId);
  return entry === undefined ? noGrant : grantOf(entry);
}

function grantOf(source: ProfileEntry & Partial<Pick<Cell, 'approverRole'>>): Grant {
  const { tools, ask, approverRole = 'Editor', credentialSet } = source;
  return { has: tools ?? 'all', ask, approver: approverRole, set: credentialSet };
}

/** Whether a grant gives anything itself. */
export const gives = ({ has }: Grant): boolean => has !== 'none' && has !== 'refused';

/** What a cell amounts to: its own grant, and for an agent what its profiles give; null is nothing. */
export function effectOf(grant: Grant, given: readonly Given[]): Effective | null {
  if (grant.has === 'refused') return null;
  const { has, ask, approver: approverRole, set: credentialSet } = grant;
  if (has === 'none') return unionOf(null, given);
  return unionOf({ tools: has === 'all' ? null : [...has], ask, approverRole, credentialSet }, given);
}

/**
 * What Space does: everything in place of nothing, and nothing in place of anything; what is asked stays for the next
 * change. What profiles give can only be refused, and given back.
 */
export function toggled(grant: Grant, isGiven: boolean): Grant {
  if (gives(grant)) return { ...grant, has: isGiven ? 'refused' : 'none' };
  if (!isGiven) return { ...grant, has: 'all' };
  return { ...grant, has: grant.has === 'refused' ? 'none' : 'refused' };
}

/** Who approves matters only where something is asked, and what is asked only where something is granted. */
export function isSame(one: Grant, other: Grant): boolean {
  if (!isSameList(one.has, other.has)) return false;
  if (!gives(one)) return true;
  if (one.set !== other.set) return false;
  return isSameList(one.ask, other.ask) && (one.ask === null || one.approver === other.approver);
}

/** Whether two values are the same word, or have the same names in any order. */
export function isSameList(one: Extent | Ask, other: Extent | Ask): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((name) => other.includes(name));
}

export interface Position {
  row: number;
  /** -1 is the head of the row, where that can be pressed. */
  column: number;
}

export interface GridSize {
  rows: number;
  columns: number;
  /** The first column of a row that takes the focus. */
  firstOf?: (row: number) => number;
}

/** Where a key leads from a cell of a grid; null for a key that does not move. */
export function moved(
  { row, column }: Position,
  key: string,
  control: boolean,
  { rows, columns, firstOf = () => 0 }: GridSize,
): Position | null {
  const lastRow = rows - 1;
  const lastColumn = columns - 1;
  const at = (toRow: number, toColumn: number): Position => ({
    row: toRow,
    column: Math.max(firstOf(toRow), toColumn),
  });
  switch (key) {
    case 'ArrowUp':
      return at(Math.max(0, row - 1), column);
    case 'ArrowDown':
      return at(Math.min(lastRow, row + 1), column);
    case 'ArrowLeft':
      return at(row, column - 1);
    case 'ArrowRight':
      return at(row, Math.min(lastColumn, column + 1));
    case 'Home':
      return at(control ? 0 : row, 0);
    case 'End':
      return at(control ? lastRow : row, lastColumn);
    default:
      return null;
  }
}

/** Edits that are not saved yet, by place. */
export type Edits = ReadonlyMap<string, Place & { grant: Grant }>;

type NewEntry = Profile['entries'][number];

export const noEdits: Edits = new Map();

const keyOf = ({ of, id, serverId }: Place): string => `${of} ${id} ${serverId}`;

/** What is shown for a place: the edit, or what is saved. */
export function grantAt(index: AccessIndex, edits: Edits, place: Place): Grant {
  return edits.get(keyOf(place))?.grant ?? savedGrant(index, place);
}

export function isEdited(edits: Edits, place: Place): boolean {
  return edits.has(keyOf(place));
}

/** Adds an edit. One that leads back to what is saved removes the edit. */
export function edited(index: AccessIndex, edits: Edits, place: Place, grant: Grant): Edits {
  const next = new Map(edits);
  if (isSame(grant, savedGrant(index, place))) next.delete(keyOf(place));
  else next.set(keyOf(place), { ...place, grant });
  return next;
}

/** Removes the edits that one request saved: those of the agents at a server, or those of a profile. */
export function without(edits: Edits, saved: { serverId: string } | { profileId: string }): Edits {
  const isSaved = (edit: Place) =>
    'profileId' in saved
      ? edit.of === 'profile' && edit.id === saved.profileId
      : edit.of === 'agent' && edit.serverId === saved.serverId;
  return new Map([...edits].filter(([, edit]) => !isSaved(edit)));
}

/** The requests that save the edits of agents: one for each server. */
export function requestsOf(edits: Edits): { serverId: string; entries: AccessEntry[] }[] {
  const requests = new Map<string, AccessEntry[]>();
  for (const { of, id, serverId, grant } of edits.values())
    if (of === 'agent') requests.set(serverId, [...(requests.get(serverId) ?? []), entryOf(id, grant)]);
  return [...requests].map(([serverId, entries]) => ({ serverId, entries }));
}

function entryOf(agentId: string, { has, ask, approver, set }: Grant): AccessEntry {
  if (has === 'refused') return { agentId, granted: false };
  if (has === 'none') return { agentId, granted: false, refused: false };
  const tools = has === 'all' ? null : [...has];
  return { agentId, granted: true, tools, ask, approverRole: approver, credentialSet: set };
}

/** The profiles that have edits. */
export const editedProfiles = (edits: Edits): string[] => [
  ...new Set([...edits.values()].filter(({ of }) => of === 'profile').map(({ id }) => id)),
];

/** The entries of a profile with its edits: each server that is not edited stays as it is. */
export function entriesAfter({ id, entries }: Pick<Profile, 'id' | 'entries'>, edits: Edits): NewEntry[] {
  const own = [...edits.values()].filter((edit) => edit.of === 'profile' && edit.id === id);
  const untouched = entries.filter(({ serverId }) => !own.some((edit) => edit.serverId === serverId));
  const changed = own
    .filter(({ grant }) => gives(grant))
    .map(({ serverId, grant: { has, ask, set } }) => ({
      serverId,
      tools: Array.isArray(has) ? [...(has as readonly string[])] : null,
      ask,
      credentialSet: set,
    }));
  return [...untouched, ...changed];
}
