import type { Event, JournalRow } from './event.js';
import { eventOf } from './event.js';

/** What a reader may see when one batch is read. */
export interface ReaderRights {
  /** The key or session is valid, and its owner is not disabled or deleted. */
  alive: boolean;
  agentId: string | null;
  /** Admins and Owners see every event. */
  everything: boolean;
  /** The projects among those that the batch names that the reader may see. */
  projectIds: ReadonlySet<string>;
}

/**
 * Returns the event as this reader may see it, or null. Only Admins see events about users, keys, logins, refusals and
 * MCP servers. Every user sees events about agents (as in GET /api/agents); an agent sees those about itself and the halt.
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

/** As in the timeline (contract §2): a link to an issue that the reader cannot see is left out, a blocker's id is removed. */
function withoutOther(row: JournalRow): Event | null {
  if (row.type.startsWith('link.')) return null;
  const { blockerId: _, linkId: __, ...data } = row.data;
  return eventOf({ ...row, data });
}
