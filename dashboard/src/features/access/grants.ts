import type { AccessMatrix } from '../../api/types';

/** What an agent has of a server: nothing, all approved tools, or the named ones. */
export type Grant = 'none' | 'all' | readonly string[];

/** Where in the matrix: an agent's row and a server's column. */
export interface Place {
  agentId: string;
  serverId: string;
}

/** Edits that are not saved yet, by place. */
export type Edits = ReadonlyMap<string, Place & { grant: Grant }>;

export const noEdits: Edits = new Map();

const keyOf = ({ agentId, serverId }: Place): string => `${agentId} ${serverId}`;

/** What the service has saved for a place. */
export function savedGrant({ cells }: AccessMatrix, { agentId, serverId }: Place): Grant {
  const cell = cells.find((one) => one.agentId === agentId && one.serverId === serverId);
  if (cell === undefined || !cell.granted) return 'none';
  return cell.tools ?? 'all';
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

/** Removes the edits of a server, once they are saved. */
export function withoutServer(edits: Edits, serverId: string): Edits {
  return new Map([...edits].filter(([, edit]) => edit.serverId !== serverId));
}

/** The requests that save the edits: one for each server. */
export function requestsOf(edits: Edits) {
  const requests = new Map<string, { agentId: string; granted: boolean; tools?: string[] | null }[]>();
  for (const { agentId, serverId, grant } of edits.values()) {
    const entry =
      grant === 'none' ? { agentId, granted: false } : { agentId, granted: true, tools: toolsOf(grant) };
    requests.set(serverId, [...(requests.get(serverId) ?? []), entry]);
  }
  return [...requests].map(([serverId, entries]) => ({ serverId, entries }));
}

function toolsOf(grant: 'all' | readonly string[]): string[] | null {
  return grant === 'all' ? null : [...grant];
}

export function isSame(one: Grant, other: Grant): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.length === other.length && one.every((name) => other.includes(name));
}

/** `None`, `All` or `7 of 22`. */
export function wordsOf(grant: Grant, tools: number | null): string {
  if (grant === 'none') return 'None';
  if (grant === 'all') return 'All';
  return tools === null ? `${grant.length} tools` : `${grant.length} of ${tools}`;
}
