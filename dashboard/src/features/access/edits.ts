import type { Profile } from '../../api/types';
import type { AccessIndex } from '../../shared/mcp/effective-access';
import type { AccessEntry } from '../../shared/mcp/changes';
import { gives, isSame, savedGrant, type Grant, type Place } from './grants';

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
