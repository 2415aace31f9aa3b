import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { IssueStatus, ListedIssue, Priority } from '../../../api/types';
import { type Action, useActions } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { countOf, sayNumber } from '../../../parts/count';
import type { IconName } from '../../../parts/icon';
import { Menu, MenuButton, type MenuItem } from '../../../parts/menu';
import { issueStatuses, priorityWord } from '../../../parts/status';
import { LabelChooser } from '../../../shared/labels/chooser';
import { refreshIssues } from '../board/board-data';
import { announceDone, announceRefused } from '../changes';
import { BlockerChooser } from '../commands/blocker-chooser';
import { AssignPicker } from '../commands/issue-commands';
import { goalsQuery, type IssueFilter, type Sort } from '../queries';
import { type IssueChange, type Known, sendChange, sendSeveral } from '../sending';
import styles from './list-screen.module.css';
import { AllThatMatch, type Selection } from './selection';

interface BulkBarProps {
  project: string;
  filter: IssueFilter;
  sort: Sort;
  /** The rows that the list has read; what is chosen is changed as they show it. */
  rows: readonly ListedIssue[];
  /** How many match the filter, by the service's count. */
  total: number | null;
  selection: Selection;
}

type Open = 'assign' | 'block' | 'move' | 'label' | 'parent' | null;

/** Changes the chosen issues together. Those that the service refuses stay chosen, each with its reason. */
export function BulkBar({ project, filter, sort, rows, total, selection }: BulkBarProps) {
  const [open, setOpen] = useState<Open>(null);
  const latest = new Map<string, Known>(rows.map((row) => [row.id, row]));
  const issues = [...selection.chosen.values()].map((issue) => latest.get(issue.id) ?? issue);
  const bulk = useBulkChange(selection);
  const moves = movesOf(issues);
  const send = (change: IssueChange, of: readonly Known[] = issues) => bulk.send(of, change);
  const pausable = issues.filter(({ status }) => status === 'InProgress');
  const paused = issues.filter((issue) => issue.paused && issue.status === 'Open');
  const closable = moves.Closed ?? [];
  const count = issues.length;
  const some = countOf(count, 'issue');
  const { projectId, key } = issues[0]!;
  const common = { projectId, onClose: () => setOpen(null) };
  useActions(bulkActions(count, setOpen, selection, pausable, paused, send));
  if (bulk.answered !== null)
    return (
      <div className={styles.bulk} data-bar="" role="group" aria-label="Change the chosen issues">
        <b role="status">
          {bulk.answered} of {bulk.asked} answered
        </b>
        <Button small onClick={bulk.stop}>
          Stop
        </Button>
      </div>
    );
  return (
    <div className={styles.bulk} data-bar="" role="group" aria-label="Change the chosen issues">
      <b role="status">{sayNumber(count)} chosen</b>
      <AllThatMatch {...{ project, filter, sort, total, selection }} />
      <span className={styles.changes}>
        <Button small icon="user" onClick={() => setOpen('assign')}>
          Assign
        </Button>
        <Menu
          label="Set the priority"
          trigger={<MenuButton>Priority</MenuButton>}
          items={priorityItems(send)}
        />
        {Object.keys(moves).some((to) => to !== 'Closed') && (
          <Menu
            label="Move"
            open={open === 'move'}
            onOpenChange={(next) => setOpen(next ? 'move' : null)}
            trigger={<MenuButton>Move</MenuButton>}
            items={moveItems(moves, count, send)}
          />
        )}
        <Button small icon="tag" onClick={() => setOpen('label')}>
          Labels
        </Button>
        <GoalMenu project={project} send={send} />
        <Button small icon="tree" onClick={() => setOpen('parent')}>
          Parent
        </Button>
        <Button small icon="waiting" onClick={() => setOpen('block')}>
          Blocker
        </Button>
        <Eligible verb="Pause" icon="pause" of={pausable} onSend={(of) => send({ kind: 'pause' }, of)} />
        <Eligible verb="Resume" icon="progress" of={paused} onSend={(of) => send({ kind: 'resume' }, of)} />
        <Eligible
          verb="Close"
          icon="closed"
          of={closable}
          onSend={(of) => send({ kind: 'status', to: 'Closed' }, of)}
        />
      </span>
      <Button small look="quiet" onClick={selection.clear}>
        Choose none
      </Button>
      <AssignPicker
        label={`Assign ${some}`}
        {...common}
        assignee={undefined}
        open={open === 'assign'}
        onAssign={(to) => send({ kind: 'assign', to })}
      />
      <BlockerChooser
        label={`Add a blocker to ${some}`}
        {...common}
        except={issues.map(({ id }) => id)}
        open={open === 'block'}
        onChoose={(by) => send({ kind: 'block', by })}
      />
      <BlockerChooser
        label={`Choose the parent of ${some}`}
        {...common}
        beside={key}
        except={issues.map(({ id }) => id)}
        open={open === 'parent'}
        onChoose={(to) => send({ kind: 'parent', to })}
        onNone={() => send({ kind: 'parent', to: null })}
      />
      <LabelChooser
        label={`Labels of ${some}`}
        {...common}
        issues={issues}
        open={open === 'label'}
        onChange={(labels) => send({ kind: 'relabel', ...labels })}
      />
    </div>
  );
}

/** A change that only some of the chosen issues can have; the button says how many. */
function Eligible({
  verb,
  icon,
  of,
  onSend,
}: {
  verb: string;
  icon: IconName;
  of: readonly Known[];
  onSend: (of: readonly Known[]) => void;
}) {
  if (of.length === 0) return null;
  return (
    <Button small icon={icon} onClick={() => onSend(of)}>
      {verb} {sayNumber(of.length)}
    </Button>
  );
}

type Send = (change: IssueChange, of?: readonly Known[]) => void;
type Moves = Partial<Record<IssueStatus, readonly Known[]>>;

/** Which of the issues can get which status. */
function movesOf(issues: readonly Known[]): Moves {
  const moves: Partial<Record<IssueStatus, Known[]>> = {};
  for (const issue of issues)
    for (const to of issue.allowedTransitions) if (to !== issue.status) (moves[to] ??= []).push(issue);
  return moves;
}

function moveItems(moves: Moves, all: number, send: Send): MenuItem[] {
  const order: IssueStatus[] = ['Open', 'InProgress', 'PendingReview', 'Resolved'];
  return order.flatMap((to) => {
    const of = moves[to];
    const { word, icon } = issueStatuses[to];
    const label = of && of.length < all ? `${word}: ${sayNumber(of.length)} of ${sayNumber(all)}` : word;
    return of ? [{ id: to, label, icon, onSelect: () => send({ kind: 'status', to }, of) }] : [];
  });
}

const priorities: Priority[] = ['urgent', 'high', 'medium', 'low', 'none'];

const priorityItems = (send: Send): MenuItem[] =>
  priorities.map((priority) => ({
    id: priority,
    label: priorityWord(priority),
    icon: priority,
    onSelect: () => send({ kind: 'priority', priority }),
  }));

function GoalMenu({ project, send }: { project: string; send: Send }) {
  const goals = useQuery(goalsQuery(project)).data ?? [];
  if (goals.length === 0) return null;
  const items = [...goals.map(({ id, title }) => ({ id, title })), null].map((to) => ({
    id: to?.id ?? 'none',
    label: to?.title ?? 'No goal',
    onSelect: () => send({ kind: 'goal', to }),
  }));
  return <Menu label="Set the goal" trigger={<MenuButton>Goal</MenuButton>} items={items} />;
}

/** The keys of an issue are about all that are chosen. */
function bulkActions(
  count: number,
  onOpen: (open: Open) => void,
  selection: Selection,
  pausable: readonly Known[],
  paused: readonly Known[],
  send: Send,
): Action[] {
  const all = countOf(count, 'chosen issue');
  const dialogs = [
    { open: 'assign', name: `Assign ${all}`, icon: 'user', shortcut: 'a' },
    { open: 'move', name: `Move ${all}`, icon: 'arrow', shortcut: 'm' },
    { open: 'label', name: `Label ${all}`, icon: 'tag', shortcut: 'l' },
    { open: 'block', name: `Add a blocker to ${all}`, icon: 'waiting', shortcut: 'b' },
    { open: 'parent', name: `Choose the parent of ${all}`, icon: 'tree', shortcut: 'u' },
  ] as const;
  return [
    ...dialogs.map(({ open, ...dialog }): Action => ({
      ...dialog,
      id: `issue-${open}`,
      group: 'Issue',
      perform: () => onOpen(open),
    })),
    {
      id: 'issue-pause',
      name:
        pausable.length > 0 ? `Pause ${sayNumber(pausable.length)}` : `Resume ${sayNumber(paused.length)}`,
      group: 'Issue',
      icon: 'pause',
      shortcut: 'p',
      available: pausable.length + paused.length > 0,
      perform: () =>
        pausable.length > 0 ? send({ kind: 'pause' }, pausable) : send({ kind: 'resume' }, paused),
    },
    {
      id: 'choose-none',
      name: 'Choose none',
      group: 'Issue',
      icon: 'close',
      shortcut: 'Escape',
      perform: selection.clear,
    },
  ];
}

function focusRow(key: string | undefined): void {
  if (document.activeElement !== document.body) return;
  const rows = [...document.querySelectorAll<HTMLElement>('[data-issue] a')];
  (
    rows.find((row) => row.closest<HTMLElement>('[data-issue]')?.dataset['issue'] === key) ?? rows[0]
  )?.focus();
}

/** Sends one change for each of several issues, with how far it has come. */
function useBulkChange(selection: Selection) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ answered: number; asked: number } | null>(null);
  const ending = useRef(new AbortController());
  const run = async (issues: readonly Known[], change: IssueChange): Promise<void> => {
    ending.current = new AbortController();
    setProgress({ answered: 0, asked: issues.length });
    const { done, refused } = await sendSeveral(
      issues.map((issue) => ({ issue, change })),
      sendChange,
      (answered) => setProgress({ answered, asked: issues.length }),
      ending.current.signal,
    );
    setProgress(null);
    announceDone(done, change, client);
    announceRefused(refused, issues.length, 'not changed', client);
    const changed = new Set(done.map(({ before }) => before.id));
    selection.replace(issues.filter(({ id }) => !changed.has(id)));
    // The bar is gone with the choice: the focus goes back to the rows.
    setTimeout(() => focusRow(issues[0]?.key), 0);
    await refreshIssues(
      client,
      issues.map(({ id }) => id),
    );
  };
  return {
    answered: progress?.answered ?? null,
    asked: progress?.asked ?? 0,
    stop: () => ending.current.abort(),
    send: (issues: readonly Known[], change: IssueChange) => void run(issues, change),
  };
}
