import { Link } from '@tanstack/react-router';
import { Fragment, useReducer, useRef } from 'react';
import type { IssueStatus, ListedIssue } from '../../../api/types';
import { classes } from '../../../parts/classes';
import { Count, issueStatuses, StatusIcon } from '../../../parts/status';
import styles from './board-screen.module.css';
import { Cards } from './cards';
import { atLeast, groupsOf } from './board-cards';
import type { Drag } from './drag';

/** A card of a column; one that has left it keeps its place while the pointer is over the column. */
export interface HeldIssue {
  issue: ListedIssue;
  gone: boolean;
}

/** The cards that stood here before, in their order and as they are now, then those that came since. */
export function heldOrder(before: readonly ListedIssue[], now: readonly ListedIssue[]): HeldIssue[] {
  const current = new Map(now.map((issue) => [issue.id, issue]));
  const known = new Set(before.map(({ id }) => id));
  return [
    ...before.map((issue) => ({ issue: current.get(issue.id) ?? issue, gone: !current.has(issue.id) })),
    ...now.filter(({ id }) => !known.has(id)).map((issue) => ({ issue, gone: false })),
  ];
}

/**
 * Keeps the cards of a column where they are while the pointer is over it, so that nothing moves away under a press.
 * Cards that the person moves leave at once.
 */
export function useHold(issues: readonly ListedIssue[], moving: ReadonlySet<string>) {
  const held = useRef<readonly ListedIssue[] | null>(null);
  if (held.current !== null) {
    const shown = heldOrder(held.current, issues).map(({ issue }) => issue);
    held.current = shown.filter(({ id }) => !moving.has(id));
  }
  const shown = useRef(issues);
  shown.current = issues;
  return {
    cards: heldOrder(held.current ?? issues, issues),
    hold: () => {
      held.current = shown.current;
    },
    release: () => {
      held.current = null;
    },
  };
}

interface ColumnProps {
  status: IssueStatus;
  project: string;
  issues: readonly ListedIssue[];
  /** How many there are in all; null where there are more than those given, and they were not counted. */
  total: number | null;
  /** The ids of cards whose move the service has not confirmed. */
  moving: ReadonlySet<string>;
  /** Null for those who may not move cards. */
  drag: Drag | null;
  onMove: (issue: ListedIssue) => void;
}

/** One status of the board. While a card is dragged, it says whether the card may be dropped here. */
export function Column({ status, project, issues, total, moving, drag, onMove }: ColumnProps) {
  const id = `column-${status}`;
  const { cards, hold, release } = useHold(issues, moving);
  const [, render] = useReducer((count: number) => count + 1, 0);
  const letGo = () => {
    release();
    render();
  };
  const gone = new Set(cards.filter((card) => card.gone).map(({ issue }) => issue.id));
  const dragging = drag?.dragged ?? null;
  const accepts = drag?.accepts(status) ?? false;
  return (
    <section
      className={classes(styles.column, dragging && (accepts ? styles.accepts : styles.refuses))}
      aria-labelledby={id}
      onPointerEnter={hold}
      onPointerLeave={letGo}
      onPointerCancel={letGo}
      onDragOver={(event) => drag?.over(event, status)}
      onDrop={(event) => drag?.drop(event, status)}
    >
      <header>
        <h2 id={id}>
          <StatusIcon status={status} />
          <span aria-hidden="true">{issueStatuses[status].word}</span>
        </h2>
        <Count value={total ?? atLeast(issues.length, false)} />
        {dragging && !accepts && dragging.status !== status && (
          <span className="soft small">
            {status === 'WaitingOnDependency' ? 'Set by blockers' : 'Not from here'}
          </span>
        )}
      </header>
      {groupsOf(
        status,
        cards.map(({ issue }) => issue),
      ).map(({ name, members }) => (
        <Fragment key={name ?? 'all'}>
          {name && (
            <h3 className={styles.group}>
              {name} · {members.length}
            </h3>
          )}
          <Cards issues={members} project={project} moving={moving} gone={gone} drag={drag} onMove={onMove} />
        </Fragment>
      ))}
      {(total === null || total > issues.length) && (
        <Link to="/p/$key/list" params={{ key: project }} search={{ status }} className={styles.more}>
          {total === null ? 'All in the list' : `${total - issues.length} more`}
        </Link>
      )}
    </section>
  );
}
