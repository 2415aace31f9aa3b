import { Link } from '@tanstack/react-router';
import { type DragEvent, Fragment, useReducer, useRef, useState } from 'react';
import type { IssueStatus, ListedIssue } from '../../../api/types';
import { classes } from '../../../parts/classes';
import { sayNumber } from '../../../parts/count';
import { Count, issueStatuses, StatusIcon } from '../../../parts/status';
import { useIssueChange } from '../changes';
import type { IssueFilter } from '../queries';
import { groupsOf } from './board-data';
import styles from './board-screen.module.css';
import { type CardDrag, Cards } from './cards';

const TYPE = 'application/x-awp-issue';

/** What dragging a card does; the menu of the card and the key `m` do the same. */
export interface Drag extends CardDrag {
  /** Whether the dragged card may be dropped on a column. */
  accepts: (status: IssueStatus) => boolean;
  over: (event: DragEvent, status: IssueStatus) => void;
  drop: (event: DragEvent, status: IssueStatus) => void;
}

export function useDrag(): Drag {
  const [dragged, setDragged] = useState<ListedIssue | null>(null);
  const change = useIssueChange();
  const accepts = (status: IssueStatus): boolean =>
    dragged !== null && dragged.status !== status && dragged.allowedTransitions.includes(status);
  return {
    dragged,
    accepts,
    start: (event, issue) => {
      event.dataTransfer.setData(TYPE, issue.id);
      event.dataTransfer.effectAllowed = 'move';
      setDragged(issue);
    },
    end: () => setDragged(null),
    over: (event, status) => {
      if (accepts(status)) event.preventDefault();
    },
    drop: (event, status) => {
      if (dragged === null || !accepts(status)) return;
      event.preventDefault();
      change.mutate({ issue: dragged, change: { kind: 'status', to: status } });
      setDragged(null);
    },
  };
}

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
  filter: IssueFilter;
  /** The cards that were read, as many as a board has. */
  issues: readonly ListedIssue[];
  /** How many there are, by the service's count; null before it has come. */
  total: number | null;
  /** Of those that wait, how many wait for a person by the service's count; null where it does not say. */
  onPerson: number | null;
  /** The ids of cards whose move the service has not confirmed. */
  moving: ReadonlySet<string>;
  /** The key of an issue that was just created. */
  revealed: string | null;
  /** Null for those who may not move cards. */
  drag: Drag | null;
  onMove: (issue: ListedIssue) => void;
}

/**
 * One status of the board, with a scroll of its own below its head. While a card is dragged, it says whether the card may
 * be dropped here.
 */
export function Column(props: ColumnProps) {
  const { status, project, filter, issues, total, onPerson, moving, revealed, drag, onMove } = props;
  const id = `column-${status}`;
  // State, because the cards draw themselves by its size.
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  const { cards, hold, release } = useHold(issues, moving);
  const [, render] = useReducer((count: number) => count + 1, 0);
  const letGo = () => {
    release();
    render();
  };
  const gone = new Set(cards.filter((card) => card.gone).map(({ issue }) => issue.id));
  const dragging = drag?.dragged ?? null;
  const accepts = drag?.accepts(status) ?? false;
  const groups = groupsOf(
    status,
    cards.map(({ issue }) => issue),
  );
  const left = total === null ? 0 : total - issues.length;
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
        {total !== null && <Count value={total} />}
        {dragging && !accepts && dragging.status !== status && (
          <span className="soft small">
            {status === 'WaitingOnDependency' ? 'Set by blockers' : 'Not from here'}
          </span>
        )}
      </header>
      <div className={styles.scroll} ref={setScroller} data-scroll-restoration-id={id}>
        {groups.map(({ name, members, isForPerson }) => (
          <Fragment key={name ?? 'all'}>
            {name && (
              <h3 className={styles.group}>
                {name}
                <GroupCount
                  of={isForPerson ? onPerson : total === null || onPerson === null ? null : total - onPerson}
                />
              </h3>
            )}
            <Cards
              issues={members}
              project={project}
              scroller={scroller}
              moving={moving}
              gone={gone}
              revealed={revealed}
              drag={drag}
              onMove={onMove}
            />
          </Fragment>
        ))}
        {issues.length === 0 && total === 0 && <p className={styles.empty}>Nothing here</p>}
        {left > 0 && (
          <Link
            to="/p/$key/list"
            params={{ key: project }}
            search={{ ...filter, status, sort: status === 'Resolved' ? '-updatedAt' : '-priority' }}
            className={styles.more}
          >
            {sayNumber(left)} more in the list
          </Link>
        )}
      </div>
    </section>
  );
}

const GroupCount = ({ of: count }: { of: number | null }) => count !== null && <> · {sayNumber(count)}</>;
