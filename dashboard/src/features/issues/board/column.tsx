import { Link } from '@tanstack/react-router';
import { Fragment, useReducer } from 'react';
import type { IssueStatus, ListedIssue } from '../../../api/types';
import { classes } from '../../../parts/classes';
import { Count, issueStatuses, StatusIcon } from '../../../parts/status';
import styles from './board-screen.module.css';
import { groupsOf } from './columns';
import type { Drag } from './drag';
import { useHold } from './hold';
import { Tile } from './tile';

interface ColumnProps {
  status: IssueStatus;
  project: string;
  issues: readonly ListedIssue[];
  /** How many there are in all where only the latest are shown. */
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
  const all = total ?? issues.length;
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
        <Count value={all} />
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
          <ul className={styles.tiles}>
            {members.map((issue) => (
              <Tile
                key={issue.id}
                issue={issue}
                project={project}
                moving={moving.has(issue.id)}
                gone={gone.has(issue.id)}
                onDragStart={drag?.start ?? null}
                onDragEnd={drag?.end ?? null}
                onMove={drag ? onMove : null}
              />
            ))}
          </ul>
        </Fragment>
      ))}
      {all > issues.length && (
        <Link to="/p/$key/list" params={{ key: project }} search={{ status }} className={styles.more}>
          {all - issues.length} more
        </Link>
      )}
    </section>
  );
}
