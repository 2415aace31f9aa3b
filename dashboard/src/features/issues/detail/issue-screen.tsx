import { useSuspenseQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import type { Issue } from '../../../api/types';
import { Button, Buttons } from '../../../parts/button';
import { Key } from '../../../parts/keys';
import { Markdown } from '../../../parts/markdown';
import { usePageTitle } from '../../../parts/page';
import { PriorityIcon } from '../../../parts/priority';
import { Skeleton } from '../../../parts/skeleton';
import { StatusPill } from '../../../parts/status';
import { Time } from '../../../parts/time';
import { useMe } from '../../../session/me';
import { hasRole } from '../../../session/roles';
import { actionsFor } from '../actions';
import { useIssueChange } from '../changes';
import { issueQuery } from '../queries';
import { CommentForm } from './comment-form';
import { IssueFacts } from './issue-facts';
import styles from './issue-screen.module.css';
import { LinksCard } from './links-card';
import { Timeline } from './timeline';
import { Why } from './why';

/** Everything about one issue: what may be done with it, why it is stuck, its text, links, timeline and facts. */
export function IssueScreen({ issueId }: { issueId: string }) {
  const { data: issue } = useSuspenseQuery(issueQuery(issueId));
  if (!issue) return null;
  return <IssueDetail issue={issue} />;
}

export function IssueDetail({ issue }: { issue: Issue }) {
  usePageTitle(`${issue.key} ${issue.title}`);
  const editable = hasRole(useMe(), 'Editor');
  return (
    <div className={styles.split}>
      <div className={styles.main}>
        <IssueHead issue={issue} />
        <Suspense fallback={<Skeleton rows={1} />}>
          <Why issue={issue} />
        </Suspense>
        <section aria-label="Description">
          {issue.description === '' ? (
            <p className="soft">No description.</p>
          ) : (
            <Markdown text={issue.description} />
          )}
        </section>
        <LinksCard issue={issue} editable={editable} />
        <section className="stack" aria-labelledby="timeline">
          <h2 id="timeline">Timeline</h2>
          <Suspense fallback={<Skeleton rows={3} />}>
            <Timeline issue={issue} />
          </Suspense>
          {editable && <CommentForm issue={issue} />}
        </section>
      </div>
      <aside className={styles.side} aria-label="Facts">
        <IssueFacts issue={issue} editable={editable} />
      </aside>
    </div>
  );
}

function IssueHead({ issue }: { issue: Issue }) {
  const me = useMe();
  const change = useIssueChange();
  return (
    <div className={styles.head}>
      <div className={styles.line}>
        <span className={styles.key}>{issue.key}</span>
        <StatusPill status={issue.status} />
        <PriorityIcon priority={issue.priority} />
        <span className="soft small">
          changed <Time iso={issue.updatedAt} />
        </span>
      </div>
      <h1>{issue.title}</h1>
      <Buttons label="Change the issue">
        {actionsFor(issue, me).map((action, index) => (
          <Button
            key={action.id}
            icon={action.icon}
            look={index === 0 && issue.status === 'PendingReview' ? 'primary' : 'plain'}
            busy={change.isPending}
            onClick={() => change.mutate({ issue, change: action.change })}
          >
            {action.label}
            {action.shortcut && <Key>{action.shortcut}</Key>}
          </Button>
        ))}
      </Buttons>
    </div>
  );
}
