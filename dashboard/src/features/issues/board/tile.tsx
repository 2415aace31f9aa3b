import { Link } from '@tanstack/react-router';
import { memo, type DragEvent } from 'react';
import type { ListedIssue } from '../../../api/types';
import { IconButton } from '../../../parts/button';
import { classes } from '../../../parts/classes';
import { Ink, PriorityIcon, Tag } from '../../../parts/status';
import { Since } from '../../../parts/time';
import { Who } from '../../../parts/who';
import { reasonOf } from '../reason';
import styles from './tile.module.css';

interface TileProps {
  issue: ListedIssue;
  project: string;
  /** Whether a move waits for the service's answer. */
  moving: boolean;
  /** Whether it has left the column, and is shown until the pointer leaves it too. */
  gone: boolean;
  onDragStart: ((event: DragEvent, issue: ListedIssue) => void) | null;
  onDragEnd: (() => void) | null;
  /** Opens the menu that does what dragging does; null for those who may not. */
  onMove: ((issue: ListedIssue) => void) | null;
}

/** A card of the board: what it is, why it stands here, who has it and for how long. */
export const Tile = memo(
  function Tile({ issue, project, moving, gone, onDragStart, onDragEnd, onMove }: TileProps) {
    const reason = reasonOf(issue);
    return (
      <div
        className={classes(styles.tile, moving && styles.moving, gone && styles.gone)}
        data-issue={issue.key}
        draggable={onDragStart !== null && !gone}
        onDragStart={(event) => onDragStart?.(event, issue)}
        onDragEnd={() => onDragEnd?.()}
      >
        <div className={styles.top}>
          <span className={styles.key}>{issue.key}</span>
          <PriorityIcon priority={issue.priority} />
          <span className={styles.end}>
            {issue.attempts > 0 && (
              <Tag tone="waiting" icon="refresh">
                {issue.attempts}
                <span className="sr-only"> failed attempts</span>
              </Tag>
            )}
            {issue.paused && <Tag icon="pause">Paused</Tag>}
            {gone && <Tag>Moved on</Tag>}
            {onMove && !gone && (
              <IconButton
                icon="more"
                label={`Move ${issue.key}`}
                small
                className={styles.menu}
                onClick={() => onMove(issue)}
              />
            )}
          </span>
        </div>
        <h3>
          <Link
            to="/p/$key/board"
            params={{ key: project }}
            search={(old: object) => ({ ...old, issue: issue.key })}
            resetScroll={false}
            draggable={false}
          >
            {issue.title}
          </Link>
        </h3>
        {reason && (
          <p className={styles.reason}>
            {reason.sign && <Ink {...reason.sign} />}
            <span>{reason.text}</span>
          </p>
        )}
        <div className={styles.low}>
          <Who party={issue.assignee} />
          <span className={styles.end}>
            <Since iso={issue.statusSince} />
          </span>
        </div>
      </div>
    );
  },
  // The functions change with every render of the board and always do the same.
  (before, after) =>
    before.issue === after.issue &&
    before.moving === after.moving &&
    before.gone === after.gone &&
    before.project === after.project &&
    (before.onMove === null) === (after.onMove === null),
);
