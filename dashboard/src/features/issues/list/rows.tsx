import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ListedIssue } from '../../../api/types';
import { useActions } from '../../../keyboard/use-actions';
import { useSteps } from '../../../keyboard/use-steps';
import { PriorityIcon, StatusIcon } from '../../../parts/status';
import { Since } from '../../../parts/time';
import { usePhone } from '../../../parts/use-phone';
import { Who } from '../../../parts/who';
import { type Command, IssueCommands } from '../commands/issue-commands';
import { reasonOf } from '../reason';
import styles from './list-screen.module.css';

/** Which issues of a list are chosen for a change of several. */
interface Selection {
  has: (id: string) => boolean;
  toggle: (id: string) => void;
  clear: () => void;
}

/** Null for those who may not change issues. */
export function useSelection(editable: boolean): Selection | null {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () =>
      editable
        ? {
            has: (id) => ids.has(id),
            toggle: (id) => setIds((before) => toggled(before, id)),
            clear: () => setIds(new Set()),
          }
        : null,
    [editable, ids],
  );
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

const ROW_PX = 44;
/** On a phone the reason stands below a title of two lines. */
const PHONE_ROW_PX = 72;
const OVERSCAN = 12;

interface RowsProps {
  issues: readonly ListedIssue[];
  selection: Selection | null;
  onEnd: () => void;
}

/** The rows in view. `j` and `k` move among them, `x` chooses, and the keys of issues are about the one in focus. */
export function Rows({ issues, selection, onEnd }: RowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const [command, setCommand] = useState<Command | null>(null);
  const current = issues.find(({ key }) => key === focused) ?? null;
  const rowPx = usePhone() ? PHONE_ROW_PX : ROW_PX;
  const rows = useWindowVirtualizer({
    count: issues.length,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    scrollMargin: list.current?.offsetTop ?? 0,
  });
  // A window that is turned or resized has rows of another height.
  useEffect(() => rows.measure(), [rows, rowPx]);
  const visible = rows.getVirtualItems();
  const atEnd = visible.at(-1)?.index === issues.length - 1;
  useEffect(() => {
    if (atEnd) onEnd();
  }, [atEnd, onEnd]);
  useSteps(list);
  useActions([
    {
      id: 'choose',
      name: 'Choose the issue for a change of several',
      icon: 'check',
      group: 'This screen',
      shortcut: 'x',
      available: selection !== null && current !== null,
      perform: () => current && selection?.toggle(current.id),
    },
  ]);
  return (
    <>
      <ul
        className={styles.list}
        ref={list}
        style={{ height: rows.getTotalSize() }}
        aria-label="Issues"
        onFocus={({ target }) =>
          setFocused(target.closest<HTMLElement>('[data-issue]')?.dataset['issue'] ?? null)
        }
      >
        {visible.map(({ index, start }) => (
          <li
            key={issues[index]!.id}
            className={styles.row}
            data-issue={issues[index]!.key}
            style={{ transform: `translateY(${start - rows.options.scrollMargin}px)` }}
            aria-setsize={issues.length}
            aria-posinset={index + 1}
          >
            <Row issue={issues[index]!} selection={selection} />
          </li>
        ))}
      </ul>
      <IssueCommands issue={current} command={command} onCommand={setCommand} />
    </>
  );
}

function Row({ issue, selection }: { issue: ListedIssue; selection: Selection | null }) {
  return (
    <>
      {selection && (
        <input
          type="checkbox"
          className={styles.choose}
          aria-label={`Choose ${issue.key}`}
          checked={selection.has(issue.id)}
          onChange={() => selection.toggle(issue.id)}
        />
      )}
      <StatusIcon status={issue.status} />
      <span className={styles.key}>{issue.key}</span>
      <PriorityIcon priority={issue.priority} />
      <span className={styles.text}>
        <Link to="/i/$key" params={{ key: issue.key }} className={styles.title}>
          {issue.title}
        </Link>
        <span className={styles.reason}>{reasonOf(issue)?.text}</span>
      </span>
      <span className={styles.who}>
        <Who party={issue.assignee} />
      </span>
      <span className={styles.since}>
        <Since iso={issue.statusSince} />
      </span>
    </>
  );
}
