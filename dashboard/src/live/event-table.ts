import type { QueryKey } from '@tanstack/react-query';
import { issueKey, keys } from '../api/keys';

/** One event of GET /api/events, as the contract's §8 describes it. */
export interface LiveEvent {
  id: string;
  type: string;
  at: string;
  projectId: string | null;
  actor: { type: string; id: string | null; name: string | null };
  subject: { type: string; id: string | null };
  data: Record<string, unknown>;
}

/** Whether the page receives changes: not yet, now, or not any more since a time. */
export type LiveState = { phase: 'connecting' } | { phase: 'live' } | { phase: 'lost'; since: number };

type Affected = (event: LiveEvent) => QueryKey[];

/** The issue that an event is about: its subject, or the one that its data name. */
export function issueOf({ subject, data }: LiveEvent): string | null {
  if (subject.type === 'issue') return subject.id;
  return typeof data['issueId'] === 'string' ? data['issueId'] : null;
}

const parts: Affected = (event) => {
  const issue = issueOf(event);
  return issue === null ? [] : [issueKey(issue)];
};

// An open issue shows the status of its links and the chain that it waits for, which any other issue may change.
const issue: Affected = (event) => [
  keys.issueLists,
  keys.openIssues,
  keys.attention,
  keys.agents,
  ...parts(event),
];
const everyIssue: Affected = () => [keys.issues, keys.attention];

/** Which queries an event makes stale, by the first part of its type. Unknown types change nothing on screen. */
const table: Record<string, Affected> = {
  issue,
  link: (event) => [keys.issueLists, keys.openIssues, keys.attention, ...parts(event)],
  code: (event) => [keys.codeHooks, keys.issueLists, keys.openIssues, ...parts(event)],
  comment: parts,
  attachment: parts,
  gate: (event) => [keys.attention, keys.issueLists, keys.openIssues, ...parts(event)],
  goal: () => [keys.goals],
  // Issues show the names and colours of their labels.
  label: () => [keys.labels, keys.issues],
  schedule: () => [keys.schedules, keys.attention],
  // An import writes no event for each of the issues that it makes.
  import: () => [keys.imports, keys.goals, keys.labels, keys.schedules, ...everyIssue({} as LiveEvent)],
  project: () => [keys.projects, keys.issues],
  agent: () => [keys.agents, keys.halt, keys.access, ...everyIssue({} as LiveEvent)],
  budget: () => [keys.usage, keys.attention, keys.agents],
  user: () => [keys.users],
  key: () => [keys.apiKeys],
  webhook: () => [keys.webhooks, keys.attention],
  mcp: () => [keys.servers, keys.access, keys.attention],
};

export function affectedBy(event: LiveEvent): QueryKey[] {
  return table[event.type.split('.')[0] ?? '']?.(event) ?? [];
}
