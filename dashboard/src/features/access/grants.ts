import type { AccessMatrix, ApproverRole, Ask } from '../../api/types';
import type { AccessEntry } from '../../shared/mcp/changes';

/** How much an agent has of a server: nothing, all approved tools, or the named ones. */
export type Extent = 'none' | 'all' | readonly string[];

/** What an agent has of a server, whose calls a person approves, and the least role of that person. */
export interface Grant {
  has: Extent;
  ask: Ask;
  approver: ApproverRole;
}

/** Where in the matrix: an agent's row and a server's column. */
export interface Place {
  agentId: string;
  serverId: string;
}

/** Edits that are not saved yet, by place. */
export type Edits = ReadonlyMap<string, Place & { grant: Grant }>;

export const noEdits: Edits = new Map();
export const noGrant: Grant = { has: 'none', ask: null, approver: 'Editor' };

const keyOf = ({ agentId, serverId }: Place): string => `${agentId} ${serverId}`;

/** What the service has saved for a place. */
export function savedGrant({ cells }: AccessMatrix, { agentId, serverId }: Place): Grant {
  const cell = cells.find((one) => one.agentId === agentId && one.serverId === serverId);
  if (cell === undefined || !cell.granted) return noGrant;
  return { has: cell.tools ?? 'all', ask: cell.ask, approver: cell.approverRole };
}

/** What is shown for a place: the edit, or what is saved. */
export function grantAt(matrix: AccessMatrix, edits: Edits, place: Place): Grant {
  return edits.get(keyOf(place))?.grant ?? savedGrant(matrix, place);
}

export function isEdited(edits: Edits, place: Place): boolean {
  return edits.has(keyOf(place));
}

/** Adds an edit. One that leads back to what is saved removes the edit. */
export function edited(matrix: AccessMatrix, edits: Edits, place: Place, grant: Grant): Edits {
  const next = new Map(edits);
  if (isSame(grant, savedGrant(matrix, place))) next.delete(keyOf(place));
  else next.set(keyOf(place), { ...place, grant });
  return next;
}

/** Everything in place of nothing, and nothing in place of anything; what is asked stays for the next change. */
export const toggled = (grant: Grant): Grant => ({ ...grant, has: grant.has === 'none' ? 'all' : 'none' });

/** Removes the edits of a server, once they are saved. */
export function withoutServer(edits: Edits, serverId: string): Edits {
  return new Map([...edits].filter(([, edit]) => edit.serverId !== serverId));
}

/** The requests that save the edits: one for each server. */
export function requestsOf(edits: Edits) {
  const requests = new Map<string, AccessEntry[]>();
  for (const { agentId, serverId, grant } of edits.values())
    requests.set(serverId, [...(requests.get(serverId) ?? []), entryOf(agentId, grant)]);
  return [...requests].map(([serverId, entries]) => ({ serverId, entries }));
}

function entryOf(agentId: string, { has, ask, approver }: Grant): AccessEntry {
  if (has === 'none') return { agentId, granted: false };
  return { agentId, granted: true, tools: has === 'all' ? null : [...has], ask, approverRole: approver };
}

/** Who approves matters only where something is asked, and what is asked only where something is granted. */
export function isSame(one: Grant, other: Grant): boolean {
  if (!isSameList(one.has, other.has)) return false;
  if (one.has === 'none') return true;
  return isSameList(one.ask, other.ask) && (one.ask === null || one.approver === other.approver);
}

/** Whether two values are the same word, or have the same names in any order. */
export function isSameList(one: Extent | Ask, other: Extent | Ask): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((name) => other.includes(name));
}

/** `None`, `All` or `7 of 22`. */
export function wordsOf({ has }: Grant, tools: number | null): string {
  if (has === 'none') return 'None';
  if (has === 'all') return 'All';
  return tools === null ? `${has.length} tools` : `${has.length} of ${tools}`;
}

/** `asks for writes` or `asks for 3`; null where no call needs an approval. */
export function askWordsOf({ has, ask }: Grant): string | null {
  if (has === 'none' || ask === null) return null;
  return ask === 'writes' ? 'asks for writes' : `asks for ${ask.length}`;
}
