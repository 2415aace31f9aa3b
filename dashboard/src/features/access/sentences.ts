import type { AccessMatrix } from '../../api/types';
import { isSame, savedGrant, type Edits, type Grant } from './grants';

/** An edit in words: who, what happens, and the server. */
export interface Sentence {
  key: string;
  agent: string;
  /** Stands between the two names. */
  verb: string;
  server: string;
  end: string;
}

/** The edits as sentences, in the order in which they were made. */
export function sentencesOf(matrix: AccessMatrix, edits: Edits): Sentence[] {
  return [...edits].flatMap(([key, { agentId, serverId, grant }]) => {
    const agent = matrix.agents.find(({ id }) => id === agentId);
    const server = matrix.servers.find(({ id }) => id === serverId);
    if (agent === undefined || server === undefined) return [];
    const words = wordsOf(savedGrant(matrix, { agentId, serverId }), grant, server.tools);
    return [{ key, agent: agent.name, server: server.name, ...words }];
  });
}

function wordsOf(before: Grant, after: Grant, tools: number | null): { verb: string; end: string } {
  if (after === 'none') return { verb: 'loses', end: ' at its next call.' };
  if (after === 'all') {
    const all = tools === null ? 'all tools of' : `all ${tools} tools of`;
    return { verb: before === 'none' ? `gets ${all}` : `is widened to ${all}`, end: '.' };
  }
  const some = `${after.length}${tools === null ? '' : ` of ${tools}`} ${after.length === 1 && tools === null ? 'tool' : 'tools'} of`;
  if (before === 'none') return { verb: `gets ${some}`, end: '.' };
  if (before === 'all') return { verb: `is narrowed to ${some}`, end: '.' };
  return { verb: `gets other tools: ${some}`, end: difference(before, after) };
}

/** Names what comes and goes while that is short. */
function difference(before: readonly string[], after: readonly string[]): string {
  if (isSame(before, after)) return '.';
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  if (added.length + removed.length > 4) return ` (${added.length} added, ${removed.length} removed).`;
  return ` (${[...added.map((name) => `+ ${name}`), ...removed.map((name) => `− ${name}`)].join(', ')}).`;
}
