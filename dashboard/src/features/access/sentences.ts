import type { AccessMatrix } from '../../api/types';
import { isSameList, savedGrant, type Edits, type Grant } from './grants';

/** An edit in words: who, what happens, and the server. */
export interface Sentence {
  key: string;
  agent: string;
  /** Stands between the two names. */
  verb: string;
  server: string;
  end: string;
}

type Words = Pick<Sentence, 'verb' | 'end'>;

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

function wordsOf(before: Grant, after: Grant, tools: number | null): Words {
  if (after.has === 'none') return { verb: 'loses', end: ' at its next call.' };
  if (isSameList(before.has, after.has)) return askOnly(after);
  const { verb, end } = extentWords(before.has, after.has, tools);
  return { verb, end: `${end}${askEnd(before, after)}.` };
}

function extentWords(
  before: Grant['has'],
  after: Exclude<Grant['has'], 'none'>,
  tools: number | null,
): Words {
  if (after === 'all') {
    const all = tools === null ? 'all tools of' : `all ${tools} tools of`;
    return { verb: before === 'none' ? `gets ${all}` : `is widened to ${all}`, end: '' };
  }
  const some = `${after.length}${tools === null ? '' : ` of ${tools}`} ${after.length === 1 && tools === null ? 'tool' : 'tools'} of`;
  if (before === 'none') return { verb: `gets ${some}`, end: '' };
  if (before === 'all') return { verb: `is narrowed to ${some}`, end: '' };
  return { verb: `gets other tools: ${some}`, end: difference(before, after) };
}

/** Names what comes and goes while that is short. */
function difference(before: readonly string[], after: readonly string[]): string {
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  if (added.length + removed.length > 4) return ` (${added.length} added, ${removed.length} removed)`;
  return ` (${[...added.map((name) => `+ ${name}`), ...removed.map((name) => `− ${name}`)].join(', ')})`;
}

/** A change of what is asked alone. */
function askOnly({ ask, approver }: Grant): Words {
  if (ask === null) return { verb: 'no longer asks a person before calls of', end: '.' };
  if (ask === 'writes')
    return { verb: `asks an ${approver} before each call of`, end: ' that may change something.' };
  return { verb: `asks an ${approver} before calls of ${countOf(ask)} of`, end: `${namesOf(ask)}.` };
}

/** What is asked from now on, behind a change of the tools. */
function askEnd(before: Grant, { ask, approver }: Grant): string {
  if (ask === null) return before.ask !== null && before.has !== 'none' ? ' and no longer asks a person' : '';
  if (ask === 'writes') return ` and asks an ${approver} before each call that may change something`;
  return ` and asks an ${approver} before calls of ${countOf(ask)}${namesOf(ask)}`;
}

const countOf = ({ length }: readonly string[]): string => (length === 1 ? '1 tool' : `${length} tools`);
const namesOf = (names: readonly string[]): string => (names.length > 4 ? '' : ` (${names.join(', ')})`);
