import { useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Activity, Comment, Issue } from '../../../api/types';
import { Icon } from '../../../parts/icon';
import { LongText } from './long-text';
import { Tag } from '../../../parts/status';
import { Time } from '../../../parts/time';
import { Avatar } from '../../../parts/who';
import { activityQuery, commentsQuery } from '../queries';
import styles from './timeline.module.css';
import { sentenceOf } from './timeline-sentences';

type Entry = { at: string; id: string } & ({ comment: Comment } | { activity: Activity });

/** What happened to an issue, oldest first, with comments where they were written. */
export function Timeline({ issue }: { issue: Issue }) {
  const { data: activity } = useSuspenseQuery(activityQuery(issue.id));
  const { data: comments } = useSuspenseQuery(commentsQuery(issue.id));
  const entries = useMemo(() => merged(activity.rows, comments.rows), [activity, comments]);
  return (
    <ol className={styles.timeline}>
      {entries.map((entry) => (
        <li key={entry.id}>
          {'comment' in entry ? (
            <Said comment={entry.comment} />
          ) : (
            <Happened activity={entry.activity} issue={issue} />
          )}
        </li>
      ))}
    </ol>
  );
}

/** Comments stand for themselves, so the activity that says "commented" is left out. */
function merged(activity: readonly Activity[], comments: readonly Comment[]): Entry[] {
  const happened = activity
    .filter(({ type }) => type !== 'comment.created')
    .map((row): Entry => ({ at: row.createdAt, id: row.id, activity: row }));
  const said = comments.map((comment): Entry => ({ at: comment.createdAt, id: comment.id, comment }));
  return [...happened, ...said].toSorted((a, b) => a.at.localeCompare(b.at));
}

function Happened({ activity, issue }: { activity: Activity; issue: Issue }) {
  const { icon, text } = sentenceOf(activity, issue);
  return (
    <>
      <span className={styles.dot}>
        <Icon name={icon} />
      </span>
      <p className={styles.event}>
        <b>{activity.actor.name ?? 'The service'}</b> {text} <Time iso={activity.createdAt} />
      </p>
    </>
  );
}

function Said({ comment }: { comment: Comment }) {
  const { author, authorType, content, createdAt, updatedAt } = comment;
  return (
    <>
      <span className={styles.dot}>
        <Avatar party={{ type: authorType === 'Agent' ? 'agent' : 'user', name: author.name }} />
      </span>
      <article className={styles.comment} aria-label={`Comment by ${author.name}`}>
        <header>
          <b>{author.name}</b>
          {authorType === 'Agent' && <Tag>Agent</Tag>}
          {updatedAt !== createdAt && <span>edited</span>}
          <Time iso={createdAt} />
        </header>
        <div className={styles.body}>
          <LongText text={content} />
        </div>
      </article>
    </>
  );
}
