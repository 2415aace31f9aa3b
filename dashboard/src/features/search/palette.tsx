import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { agentsQuery, type FoundIssue, foundIssuesQuery, labelsQuery, projectsQuery } from '../../api/lists';
import { asProblem, offlineProblem } from '../../api/problem';
import { ShortcutKeys } from '../../keyboard/help-dialog';
import { useAllActions } from '../../keyboard/use-actions';
import { Choices, ChooserDialog } from '../../parts/chooser';
import type { Option } from '../../parts/chooser-list';
import { Key } from '../../parts/button';
import { issueStatuses, ServerStatusPill } from '../../parts/status';
import { Avatar } from '../../parts/who';
import { useElevatedUntil } from '../../session/elevated/elevated-mode';
import { hasRole, useMe } from '../../session/me';
import { serversQuery } from '../../shared/mcp/queries';
import { found, type Found } from './found';
import styles from './palette.module.css';

/** People type faster than that within a word. */
const PAUSE_MS = 120;

interface PaletteProps {
  open: boolean;
  onClose: () => void;
  /** The key of the project that the person is in. */
  project: string | null;
}

const LABEL = 'Search and commands';

/** Finds everything by its name and opens or performs it: commands, agents, servers, projects, issues of all projects. */
export function Palette({ open, onClose, project }: PaletteProps) {
  return (
    <ChooserDialog open={open} onClose={onClose} label={LABEL} tall>
      <Finder onClose={onClose} project={project} />
    </ChooserDialog>
  );
}

function Finder({ onClose, project }: Omit<PaletteProps, 'open'>) {
  const [query, setQuery] = useState('');
  const { choices, searching, problem } = useFound(query, project);
  const open = useOpen();
  return (
    <Choices
      label={LABEL}
      placeholder="Search issues, agents, servers, commands"
      query={query}
      onQuery={setQuery}
      options={choices.map((choice) => optionOf(choice, query))}
      onChoose={({ id }) => open(choices.find((choice) => choice.id === id))}
      onClose={onClose}
      searching={searching}
      none={searching ? 'Searching issues …' : <Nothing query={query} problem={problem} />}
      foot={
        <PaletteFoot
          searching={searching && choices.length > 0}
          problem={choices.length > 0 ? problem : null}
        />
      }
    />
  );
}

function Nothing({ query, problem }: { query: string; problem: string | null }) {
  if (problem !== null) return <>Issues could not be searched. {problem}</>;
  return (
    <>
      <p className={styles.nothing}>Nothing matches “{query.trim()}”.</p>
      <p>An issue is found by its key, by whole words, and by the beginning of the last word.</p>
    </>
  );
}

/** Which keys work, and whether more may come. */
function PaletteFoot({ searching, problem }: { searching: boolean; problem: string | null }) {
  const locked = useElevatedUntil() === null;
  const admin = hasRole(useMe(), 'Admin');
  return (
    <div className={styles.foot}>
      {problem === null ? (
        <span>{noteOf(searching, admin && locked)}</span>
      ) : (
        <span role="alert" className={styles.problem}>
          Issues could not be searched. {problem}
        </span>
      )}
      <span className={styles.keys} aria-hidden="true">
        <Key>↑</Key>
        <Key>↓</Key> move <Key>Enter</Key> open <Key>Esc</Key> close
      </span>
    </div>
  );
}

/** Servers are read with a key that the password gives. */
function noteOf(searching: boolean, withoutServers: boolean): string {
  if (searching) return 'Searching issues …';
  return withoutServers ? 'Servers are found once you have confirmed your password under Servers' : '';
}

/** What the query finds; the service is asked when the typing pauses. */
function useFound(query: string, projectKey: string | null) {
  const settled = usePaused(query.trim());
  const projects = useQuery(projectsQuery).data ?? [];
  const agents = useQuery(agentsQuery).data ?? [];
  const elevated = useElevatedUntil() !== null;
  const servers = useQuery({ ...serversQuery, enabled: elevated }).data ?? [];
  const actions = useAllActions().filter(({ id }) => id !== 'palette' && id !== 'search');
  const project = projects.find(({ key }) => key === projectKey) ?? null;
  const labels = useQuery({ ...labelsQuery(project?.id ?? ''), enabled: project !== null }).data ?? [];
  const asked = useQuery({
    ...foundIssuesQuery(settled, project?.id ?? null),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  const isAnswered = settled === query.trim() && asked.isSuccess && !asked.isPlaceholderData;
  const choices = found(query, {
    actions,
    agents,
    servers,
    projects,
    labels,
    issues: isAnswered ? asked.data : null,
    issuesBefore: asked.data ?? [],
    project,
  });
  const failed = settled === query.trim() && (asked.isError || asked.isPaused);
  return {
    choices,
    searching: query.trim() !== '' && !isAnswered && !failed,
    problem: failed ? asProblem(asked.error ?? offlineProblem()).detail : null,
  };
}

/** The value, once it has not changed for a moment. */
function usePaused(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Opens what was chosen, or performs it. */
function useOpen() {
  const navigate = useNavigate();
  return (choice: Found | undefined) => {
    if (choice === undefined) return;
    if (choice.kind === 'action') return choice.action.perform();
    void navigate(targetOf(choice));
  };
}

function targetOf(choice: Exclude<Found, { kind: 'action' }>) {
  switch (choice.kind) {
    case 'agent':
      return { to: '/agents/$id', params: { id: choice.agent.id } } as const;
    case 'server':
      return { to: '/servers/$id', params: { id: choice.server.id } } as const;
    case 'project':
      return { to: '/p/$key/board', params: { key: choice.project.key } } as const;
    case 'label':
      return {
        to: '/p/$key/list',
        params: { key: choice.project.key },
        search: { label: choice.label.id },
      } as const;
    case 'issue':
      return { to: '/i/$key', params: { key: choice.issue.key } } as const;
    case 'key':
      return { to: '/i/$key', params: { key: choice.key } } as const;
    case 'all':
      return {
        to: '/p/$key/list',
        params: { key: choice.project.key },
        search: { q: choice.query },
      } as const;
  }
}

/** Splits a text at what the query has of it: every second part is one that matches. */
export function splitAt(text: string, query: string): string[] {
  const words = query.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  if (words.length === 0) return [text];
  // A longer word wins over its own beginning. Letters have no meaning in an expression, so none is escaped.
  const longestFirst = words.toSorted((a, b) => b.length - a.length).join('|');
  const spaced = `(?<![\\p{L}\\p{N}])(?:${longestFirst})`;
  const unspaced = `(?:${words.filter((word) => UNSPACED.test(word)).join('|') || '(?!)'})`;
  return text.split(new RegExp(`(${spaced}|${unspaced})`, 'giu'));
}

/** Scripts in which a word begins anywhere. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** How a choice looks in the list. */
function optionOf(choice: Found, query: string): Option {
  const { id, group } = choice;
  switch (choice.kind) {
    case 'action': {
      const { name, icon, shortcut } = choice.action;
      return { id, group, icon, label: name, end: shortcut && <ShortcutKeys shortcut={shortcut} /> };
    }
    case 'agent':
      return { id, group, icon: 'agent', label: choice.agent.name, end: <Note>{workOf(choice.agent)}</Note> };
    case 'server':
      return {
        id,
        group,
        icon: 'server',
        label: choice.server.name,
        end: <ServerStatusPill status={choice.server.status} />,
      };
    case 'project':
      return { id, group, icon: 'board', label: choice.project.name, end: <Note>{choice.project.key}</Note> };
    case 'label':
      return {
        id,
        group,
        icon: 'tag',
        label: choice.label.name,
        end: <Note>{`Show in ${choice.project.name}`}</Note>,
      };
    case 'issue':
      return { id, group, ...issueOption(choice.issue, query) };
    case 'key':
      return { id, group, icon: 'right', label: `Open ${choice.key}` };
    case 'all':
      return { id, group, icon: 'filter', label: `Show all matches in ${choice.project.name}` };
  }
}

function issueOption(
  { key, title, status, assignee }: FoundIssue,
  query: string,
): Omit<Option, 'id' | 'group'> {
  const { icon, tone, word } = issueStatuses[status];
  return {
    icon,
    tone,
    code: key,
    label: title,
    ...(isNamed(key, query) ? {} : { shown: <Matched text={title} query={query} /> }),
    end: (
      <span className={styles.facts}>
        <span className={styles.status}>{word}</span>
        <span className={styles.who} title={assignee?.name ?? 'Unassigned'}>
          <Avatar party={assignee} />
          <span className={styles.name}>{assignee?.name ?? 'Unassigned'}</span>
        </span>
      </span>
    ),
  };
}

/** Whether the query is the key of the issue, or its number. */
const isNamed = (key: string, query: string): boolean =>
  key === query.trim().toUpperCase() || key.endsWith(`-${query.trim()}`);

/** A title with the beginnings of words that the query has made strong; without one, its description has matched. */
function Matched({ text, query }: { text: string; query: string }) {
  const parts = splitAt(text, query);
  if (parts.length === 1)
    return (
      <>
        {text} <span className={styles.note}>· in its description</span>
      </>
    );
  return parts.map((part, index) => (index % 2 === 1 ? <b key={index}>{part}</b> : part));
}

function workOf({
  disabled,
  failing,
  activeIssues,
}: {
  disabled: boolean;
  failing: unknown;
  activeIssues: number;
}) {
  if (disabled) return 'Disabled';
  if (failing) return 'Failing';
  return activeIssues === 0 ? 'No work' : `Works on ${activeIssues}`;
}

const Note = ({ children }: { children: string }) => <span className={styles.note}>{children}</span>;
