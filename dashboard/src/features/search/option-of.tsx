import { ShortcutKeys } from '../../keyboard/help-dialog';
import type { Option } from '../../parts/chooser-list';
import { issueStatuses, ServerStatusPill } from '../../parts/status';
import { Avatar } from '../../parts/who';
import type { Found, FoundIssue } from './found';
import styles from './palette.module.css';

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
export function optionOf(choice: Found, query: string): Option {
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
