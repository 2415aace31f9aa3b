import type { Event, JournalRow } from './event.js';
import { eventOf } from './event.js';

/** What a reader may see at the time of one batch. */
export interface ReaderRights {
  /** The key or session holds, and so does its owner. */
  alive: boolean;
  agentId: string | null;
  /** Admin and above see all there is. */
  everything: boolean;
  /** Of the projects that the batch names, those that the reader sees. */
  projectIds: ReadonlySet<string>;
}

/**
 * The event as this reader may see it, or null. Users, keys, logins, refusals and MCP servers are an Admin's;
 * agents are everybody's among users (GET /api/agents), and an agent hears of itself and of the halt.
 */
export function seenBy(row: JournalRow, rights: ReaderRights): Event | null {
  if (rights.everything) return eventOf(row);
  if (row.projectId === null) return isOfAgents(row, rights) ? eventOf(row) : null;
  if (!rights.projectIds.has(row.projectId)) return null;
  if (!row.namesOther || (row.otherProjectId !== null && rights.projectIds.has(row.otherProjectId)))
    return eventOf(row);
  return withoutOther(row);
}

function isOfAgents({ type, subject }: JournalRow, { agentId }: ReaderRights): boolean {
  if (!type.startsWith('agent.')) return false;
  return agentId === null || subject.id === agentId || subject.type !== 'agent';
}

/** As the timeline does it: a link to what the reader can't see is left out, a blocker's id taken off (spec §2). */
function withoutOther(row: JournalRow): Event | null {
  if (row.type.startsWith('link.')) return null;
  const { blockerId: _, linkId: __, ...data } = row.data;
  return eventOf({ ...row, data });
}
