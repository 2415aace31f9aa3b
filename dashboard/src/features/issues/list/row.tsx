import { Link } from '@tanstack/react-router';
import { type CSSProperties, memo, type ReactNode } from 'react';
import type { IssueGroup, ListedIssue } from '../../../api/types';
import { IconButton } from '../../../parts/button';
import {
  Count,
  issueStatuses,
  LabelChips,
  PriorityIcon,
  PullRequestCount,
  StatusIcon,
  SubIssueCount,
} from '../../../parts/status';
import { Ago } from '../../../parts/time';
import { Who } from '../../../parts/who';
import type { Grouping } from '../queries';
import { reasonOf } from '../reason';
import styles from './list-screen.module.css';

/** One row of the list: an issue, the head of a group, or the end of one that goes on. */
export type Item =
  | { kind: 'issue'; id: string; issue: ListedIssue; branch?: Branch }
  | {
      kind: 'group';
      id: string;
      by: Grouping;
      /** What stands before the name of the group. */
      sign?: ReactNode;
      group: IssueGroup;
      isOpen: boolean;
      onToggle: () => void;
    }
  | { kind: 'note'; id: string; children: ReactNode };

/** The place of an issue in a list whose sub-issues stand below their parents. */
export interface Branch {
  /** 1 on the top level. */
  level: number;
  /** Null for an issue without parts. */
  isOpen: boolean | null;
  /** The key of the issue that it is a part of. */
  parent: string | null;
}

interface ItemRowProps {
  item: Item;
  index: number;
  top: number;
  height: number;
  time: 'updatedAt' | 'createdAt';
  /** Null for those who may not change issues. */
  isChosen: boolean | null;
  /** Whether it was just created. */
  isNew: boolean;
  onChoose: (issue: ListedIssue, range: boolean) => void;
  /** Opens or closes the parts of an issue. */
  onToggle: (id: string) => void;
}

/** A row at its place in the list. */
export function ItemRow({
  item,
  index,
  top,
  height,
  time,
  isChosen,
  isNew,
  onChoose,
  onToggle,
}: ItemRowProps) {
  const place: CSSProperties = { transform: `translateY(${top}px)`, height };
  const row = { role: 'row', style: place, 'aria-rowindex': index + 2 } as const;
  if (item.kind === 'note')
    return (
      <div {...row} className={styles.note}>
        <span role="cell">{item.children}</span>
      </div>
    );
  if (item.kind === 'group')
    return (
      <div {...row} className={styles.group}>
        <GroupHead {...item} />
      </div>
    );
  return (
    <div
      {...row}
      className={`${styles.row} ${styles.cells}`}
      data-issue={item.issue.key}
      data-chosen={isChosen || undefined}
      data-new={isNew || undefined}
    >
      <Cells {...{ time, isChosen, onChoose, onToggle, ...item.branch }} issue={item.issue} />
    </div>
  );
}

function GroupHead({
  by,
  sign,
  group: { value, name, key, issues },
  isOpen,
  onToggle,
}: Item & { kind: 'group' }) {
  const words = groupWords(by, value, name);
  return (
    <span role="rowheader">
      <IconButton
        icon={isOpen ? 'down' : 'right'}
        small
        label={`${isOpen ? 'Fold' : 'Unfold'} ${words}`}
        aria-expanded={isOpen}
        onClick={onToggle}
      />
      {by === 'status' && <StatusIcon status={value as keyof typeof issueStatuses} />}
      {by === 'agent' && value !== 'none' ? <Who party={{ type: 'agent', name: words }} /> : null}
      {sign}
      {key !== null && <span className={styles.code}>{key}</span>}
      {!(by === 'agent' && value !== 'none') && <b className="clip">{words}</b>}
      <Count value={issues} label={issues === 1 ? 'issue' : 'issues'} />
    </span>
  );
}

const withoutName = {
  agent: 'No agent',
  goal: 'No goal',
  label: 'No label',
  parent: 'No parent',
  blocker: 'Waits for no other issue',
} as const;

/** The name of a group, also of the one that has none. */
function groupWords(by: Grouping, value: string, name: string | null): string {
  if (by === 'status') return issueStatuses[value as keyof typeof issueStatuses].word;
  return name ?? withoutName[by];
}

type CellsProps = Pick<ItemRowProps, 'time' | 'isChosen' | 'onChoose' | 'onToggle'> &
  Partial<Branch> & { issue: ListedIssue };

const Cells = memo(function Cells({
  issue,
  time,
  isChosen,
  onChoose,
  level,
  isOpen = null,
  parent = null,
  onToggle,
}: CellsProps) {
  const reason = reasonOf(issue)?.text;
  return (
    <>
      <span role="cell" className={styles.check}>
        {isChosen !== null && (
          <input
            type="checkbox"
            aria-label={`Choose ${issue.key}`}
            checked={isChosen}
            // A press with Shift would choose text from where the last press was.
            onMouseDown={(event) => event.shiftKey && event.preventDefault()}
            onChange={({ nativeEvent }) => onChoose(issue, (nativeEvent as MouseEvent).shiftKey)}
          />
        )}
      </span>
      <span role="cell" className={styles.key}>
        {issue.key}
      </span>
      <span role="cell" className={styles.status}>
        <StatusIcon status={issue.status} />
        <span aria-hidden="true">{issueStatuses[issue.status].word}</span>
      </span>
      <span role="cell" className={styles.priority}>
        <PriorityIcon priority={issue.priority} />
      </span>
      <span
        role="cell"
        className={styles.title}
        data-level={level}
        style={level === undefined ? undefined : ({ '--level': level } as CSSProperties)}
      >
        {level !== undefined && (
          <span className={styles.toggle}>
            {isOpen !== null && (
              <IconButton
                icon={isOpen ? 'down' : 'right'}
                small
                tabIndex={-1}
                label={`Sub-issues of ${issue.key}`}
                aria-expanded={isOpen}
                onClick={() => onToggle(issue.id)}
              />
            )}
          </span>
        )}
        {parent !== null && <span className="sr-only">Part of {parent}:</span>}
        <Link to="/i/$key" params={{ key: issue.key }} title={issue.title}>
          {issue.title}
        </Link>
        {issue.code && <PullRequestCount {...issue.code} />}
        <SubIssueCount {...issue.children} />
        <LabelChips labels={issue.labels} most={2} />
      </span>
      <span role="cell" className={styles.why} title={reason}>
        {reason}
      </span>
      <span role="cell" className={styles.who}>
        <Who party={issue.assignee} />
      </span>
      <span role="cell" className={styles.time}>
        <Ago iso={issue[time]} />
      </span>
    </>
  );
});
