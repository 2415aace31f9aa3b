import type { Profile } from '../../api/types';
import type { AccessEntry } from '../../shared/mcp/queries';
import type { AccessIndex } from '../../shared/mcp/effective-access';
import { gives, type Grant, isSame, type Place, savedGrant } from './grants';

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
