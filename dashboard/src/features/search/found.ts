import type { FoundIssue } from '../../api/lists';
import type { Agent, Label, Project, Server } from '../../api/types';
import { type Action, findActions, fitOf } from '../../keyboard/use-actions';

/** One thing that the palette offers, with what it is. */
export type Found =
  | { kind: 'action'; id: string; group: string; action: Action }
  | { kind: 'agent'; id: string; group: string; agent: Agent }
  | { kind: 'server'; id: string; group: string; server: Server }
  | { kind: 'project'; id: string; group: string; project: Project }
  /** The issues of the project that have a label. */
  | { kind: 'label'; id: string; group: string; label: Label; project: Project }
  | { kind: 'issue'; id: string; group: string; issue: FoundIssue }
  /** An issue by the key that was typed, before the service has said whether it exists. */
  | { kind: 'key'; id: string; group: string; key: string }
  | { kind: 'all'; id: string; group: string; query: string; project: Project };

/** What there is to find. */
export interface Findable {
  actions: readonly Action[];
  agents: readonly Agent[];
  servers: readonly Server[];
  projects: readonly Project[];
  /** Those of the project that the person is in. */
  labels: readonly Label[];
  /** The service's answer for the query; null until it has come. */
  issues: readonly FoundIssue[] | null;
  /** The answer for what was typed before. */
  issuesBefore: readonly FoundIssue[];
  /** The project that the person is in. */
  project: Project | null;
}

/** So many of each kind stand above the issues, which come later: nothing else moves when they do. */
const SHOWN = { action: 5, agent: 4, server: 4, project: 3, label: 3 } as const;

const KEY = /^[a-z][a-z0-9]{1,9}-[1-9]\d{0,8}$/i;

/** The choices for a query: an issue by its key, what the page knows, then the issues that the service finds. */
export function found(query: string, all: Findable): Found[] {
  const q = query.trim();
  if (q === '') return beforeTyping(all.actions);
  const named = issuesNamed(q, all);
  const issues = issuesFor(q, all).filter(({ key }) => !named.some(({ id }) => id === idOf(key)));
  const actions = findActions(all.actions, q);
  const [good, weak] = [actions.filter(({ fit }) => fit > 1), actions.filter(({ fit }) => fit === 1)];
  return [
    ...named,
    ...good.slice(0, SHOWN.action).map(({ action }) => ofAction(action, 'Commands')),
    ...best(all.agents, q)
      .slice(0, SHOWN.agent)
      .map((agent): Found => ({ kind: 'agent', id: `agent-${agent.id}`, group: 'Agents', agent })),
    ...best(all.servers, q)
      .slice(0, SHOWN.server)
      .map((server): Found => ({ kind: 'server', id: `server-${server.id}`, group: 'Servers', server })),
    ...best(all.projects, q)
      .slice(0, SHOWN.project)
      .map((project): Found => ({
        kind: 'project',
        id: `project-${project.id}`,
        group: 'Projects',
        project,
      })),
    ...labelsNamed(q, all),
    ...issues.map((issue): Found => ({ kind: 'issue', id: idOf(issue.key), group: 'Issues', issue })),
    ...listOf(q, issues, all.project),
    // They match too little to be what a person types for. Before the issues have come, Enter must not choose one.
    ...(all.issues === null ? [] : weak.slice(0, SHOWN.action)).map(({ action }) =>
      ofAction(action, 'More commands'),
    ),
  ];
}

function labelsNamed(q: string, { labels, project }: Findable): Found[] {
  if (!project) return [];
  return best(labels, q)
    .slice(0, SHOWN.label)
    .map((label) => ({ kind: 'label', id: `label-${label.id}`, group: 'Labels', label, project }));
}

/** The way to all matches of the project, where there are some in it. */
function listOf(query: string, issues: readonly FoundIssue[], project: Project | null): Found[] {
  if (!project || !issues.some(({ key }) => key.startsWith(`${project.key}-`))) return [];
  return [{ kind: 'all', id: 'all', group: 'Issues', query, project }];
}

/** The keys of the screen come last: who opens the palette wants to go further than to the next row. */
function beforeTyping(actions: readonly Action[]): Found[] {
  const ofScreen = actions.filter(({ group }) => group === 'This screen');
  const others = actions.filter(({ group }) => group !== 'This screen');
  return [...others, ...ofScreen].map((action) => ofAction(action, action.group));
}

const ofAction = (action: Action, group: string): Found => ({
  kind: 'action',
  id: `action-${action.id}`,
  group,
  action,
});

const idOf = (key: string): string => `issue-${key}`;

/** The issue whose key or number was typed: at once, and gone again when the service knows none. */
function issuesNamed(q: string, { issues, project }: Findable): Found[] {
  const key = KEY.test(q)
    ? q.toUpperCase()
    : /^[1-9]\d{0,8}$/.test(q) && project
      ? `${project.key}-${q}`
      : null;
  if (key === null) return [];
  const known = issues?.find((issue) => issue.key === key);
  if (known) return [{ kind: 'issue', id: idOf(key), group: 'Issue', issue: known }];
  return issues === null ? [{ kind: 'key', id: idOf(key), group: 'Issue', key }] : [];
}

/** Until the answer comes, those of the one before that match what is typed now: a stale one is never offered. */
function issuesFor(q: string, { issues, issuesBefore }: Findable): readonly FoundIssue[] {
  return issues ?? issuesBefore.filter(({ key, title }) => fitOf('', `${key} ${title}`, q) > 1);
}

function best<Named extends { name: string; key?: string }>(all: readonly Named[], q: string): Named[] {
  return all
    .map((one) => ({ one, fit: fitOf('', `${one.name} ${one.key ?? ''}`, q) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit)
    .map(({ one }) => one);
}
