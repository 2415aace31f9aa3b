import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { ListedIssue } from '../../../api/types';
import { PriorityIcon } from '../../../parts/priority';
import { Ink, Tag } from '../../../parts/status';
import { Since } from '../../../parts/time';
import { Who } from '../../../parts/who';
import { reasonOf } from '../reason';
import styles from './tile.module.css';

/** A card of the board: what it is, why it stands here, who has it and for how long. */
export const Tile = memo(function Tile({ issue, project }: { issue: ListedIssue; project: string }) {
  const reason = reasonOf(issue);
  return (
    <li className={styles.tile} data-issue={issue.key}>
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
        </span>
      </div>
      <h3>
        <Link
          to="/p/$key/board"
          params={{ key: project }}
          search={(old: object) => ({ ...old, issue: issue.key })}
          resetScroll={false}
        >
          {issue.title}
        </Link>
      </h3>
      <p className={styles.reason}>
        {reason.sign && <Ink {...reason.sign} />}
        <span>{reason.text}</span>
      </p>
      <div className={styles.low}>
        <Who party={issue.assignee} />
        <span className={styles.end}>
          <Since iso={issue.updatedAt} />
        </span>
      </div>
    </li>
  );
});
