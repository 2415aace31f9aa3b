import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ListedIssue } from '../../api/types';
import { buttonClass } from '../../parts/button';
import { Card } from '../../parts/card';
import { Empty } from '../../parts/empty';
import { ProblemNotice } from '../../parts/notice';
import { PriorityIcon } from '../../parts/priority';
import { Skeleton } from '../../parts/skeleton';
import { StatusIcon } from '../../parts/status';
import { Since } from '../../parts/time';
import styles from './needs-you-screen.module.css';
import { reviewsQuery } from './queries';

/** What only a person can do: one row per cause, each with its one action. */
export function NeedsYouScreen() {
  const reviews = useQuery(reviewsQuery);
  if (reviews.isError)
    return (
      <ProblemNotice
        title="What needs you cannot be shown"
        error={reviews.error}
        onRetry={() => void reviews.refetch()}
      />
    );
  if (!reviews.data) return <Skeleton rows={4} label="Loading what needs you" />;
  const { rows, total } = reviews.data;
  if (rows.length === 0)
    return (
      <Card title="Decisions" flush>
        <Empty icon="resolved" title="Nothing needs you">
          Work that waits for a person’s decision appears here as soon as an agent asks for it.
        </Empty>
      </Card>
    );
  return (
    <Card title="Decisions" count={total ?? rows.length} flush>
      <ul>
        {rows.map((issue) => (
          <Cause key={issue.id} issue={issue} />
        ))}
      </ul>
    </Card>
  );
}

function Cause({ issue }: { issue: ListedIssue }) {
  return (
    <li className={styles.cause}>
      <StatusIcon status={issue.status} />
      <div className={styles.text}>
        <h3>
          {sentenceOf(issue)}
          <PriorityIcon priority={issue.priority} />
        </h3>
        <p className={styles.meta}>
          <span className="mono">{issue.key}</span> · {issue.assignee?.name ?? 'Unassigned'} ·{' '}
          <Since iso={issue.updatedAt} />
        </p>
      </div>
      <Link to="/i/$key" params={{ key: issue.key }} className={buttonClass({ small: true })}>
        {issue.attempts > 0 ? 'Decide' : 'Review'}
        <span className="sr-only"> {issue.key}</span>
      </Link>
    </li>
  );
}

/** An issue in review was finished by its agent, or failed so often that a person has to decide. */
function sentenceOf({ title, attempts }: ListedIssue): string {
  return attempts > 0 ? `“${title}” failed ${attempts} times` : `“${title}” waits for a review`;
}
