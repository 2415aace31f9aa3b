import { useQuery } from '@tanstack/react-query';
import { agentsQuery, projectsQuery, usersQuery } from '../../api/lists';
import type { AuditEntry } from '../../api/types';

/** A sentence in parts: plain words, and values that the page emphasises. */
export type Sentence = readonly { text: string; strong: boolean }[];

/** Makes a sentence of a template; values become strong parts. An absent value leaves nothing. */
export function say(strings: TemplateStringsArray, ...values: (string | Sentence | null)[]): Sentence {
  return strings.flatMap((text, index) => {
    const value = values[index] ?? null;
    const words = { text, strong: false };
    if (value === null) return [words];
    return typeof value === 'string' ? [words, { text: value, strong: true }] : [words, ...value];
  });
}

/** Joins names as in a list: `a`, `a and b`, `a, b and 3 more`. */
export function listed(names: readonly string[]): string {
  if (names.length <= 2) return names.join(' and ');
  const rest = names.length - 2;
  return `${names[0]}, ${names[1]} and ${rest} more`;
}

/** The sentence as plain text. */
export const plain = (sentence: Sentence): string => sentence.map(({ text }) => text).join('');

/** Names of what entries refer to by id; null for what is gone or has no list. */
export interface Names {
  agent: (id: unknown) => string | null;
  user: (id: unknown) => string | null;
  project: (id: unknown) => string | null;
}

/** Names out of three lists that are read once, so that no row needs a request. */
export function useNames(): Names {
  const agents = useQuery(agentsQuery).data ?? [];
  const users = useQuery(usersQuery).data ?? [];
  const projects = useQuery(projectsQuery).data ?? [];
  const nameIn = (rows: readonly { id: string; name: string }[]) => (id: unknown) =>
    rows.find((row) => row.id === id)?.name ?? null;
  return { agent: nameIn(agents), user: nameIn(users), project: nameIn(projects) };
}

/** What a sentence is made of. */
export interface Facts {
  entry: AuditEntry;
  names: Names;
}

/** A text of the entry's data, null where it is another thing. */
export function textOf({ entry: { data } }: Facts, field: string): string | null {
  const value = data[field];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The issue that an entry is about, by its key; one that was deleted has none. */
export const issueIn = ({ entry }: Facts): string => entry.issueKey ?? 'an issue that was deleted';

/** Names of a list in the data: strings, or objects with a `name`. */
export function namesIn({ entry: { data } }: Facts, field: string): string[] {
  const value = data[field];
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    if (typeof one === 'string') return [one];
    const name = (one as { name?: unknown } | null)?.name;
    return typeof name === 'string' ? [name] : [];
  });
}

/** The fields that an update changed, in words. */
export function changedFields({ entry: { data } }: Facts): string {
  const fields = Object.entries(data)
    .filter(
      ([, change]) => typeof change === 'object' && change !== null && ('new' in change || 'added' in change),
    )
    .map(([field]) => fieldWords[field] ?? field);
  return fields.length === 0 ? 'settings' : fields.join(', ');
}

const fieldWords: Record<string, string> = {
  assignedAgentId: 'agent',
  assigneeUserId: 'person in charge',
  goalId: 'goal',
  maxConcurrentIssues: 'issues at a time',
  eventTypes: 'event types',
  projectId: 'project',
  url: 'address',
};
