import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import type { Issue } from '../../../api/types';
import { Loaded } from '../../../parts/loaded';
import { Markdown } from '../../../parts/markdown';
import { Missing } from '../../../parts/missing';
import { usePageTitle } from '../../../parts/page';
import { Skeleton } from '../../../parts/skeleton';
import { useMe } from '../../../session/me';
import { hasRole } from '../../../session/roles';
import { IssueCommands, type Command } from '../commands/issue-commands';
import { issueQuery } from '../queries';
import { CallsSection } from './calls-section';
import { CommentForm } from './comment-form';
import { Decisions } from './decisions';
import { IssueFacts } from './issue-facts';
import { IssueHead } from './issue-head';
import styles from './issue-screen.module.css';
import { LinksCard } from './links-card';
import { RunsCard } from './runs-card';
import { Timeline } from './timeline';
import { Why } from './why';

/** Everything about one issue: what may be done with it, why it is stuck, its text, links, timeline and facts. */
export function IssueScreen({ issueId }: { issueId: string }) {
  return (
    <Loaded
      query={useQuery(issueQuery(issueId))}
      what="The issue"
      missing={<Missing title={`There is no issue ${issueId}`} to="/projects" label="All projects" />}
    >
      {(issue) => <IssueDetail issue={issue} />}
    </Loaded>
  );
}

export function IssueDetail({ issue }: { issue: Issue }) {
  usePageTitle(`${issue.key} ${issue.title}`);
  const editable = hasRole(useMe(), 'Editor');
  const [command, setCommand] = useState<Command | null>(null);
  return (
    <div className={styles.split}>
      <div className={styles.main}>
        <IssueHead issue={issue} onCommand={setCommand} />
        <Suspense fallback={<Skeleton rows={1} />}>
          <Why issue={issue} />
        </Suspense>
        <Decisions issue={issue} />
        <section aria-label="Description">
          {issue.description === '' ? (
            <p className="soft">No description.</p>
          ) : (
            <Markdown text={issue.description} />
          )}
        </section>
        <LinksCard issue={issue} editable={editable} />
        <RunsCard issue={issue} />
        <CallsSection issue={issue} />
        <section className="stack" aria-labelledby="timeline">
          <h2 id="timeline">Timeline</h2>
          <Suspense fallback={<Skeleton rows={3} />}>
            <Timeline issue={issue} />
          </Suspense>
          {editable && <CommentForm issue={issue} />}
        </section>
      </div>
      <aside className={styles.side} aria-label="Facts">
        <IssueFacts issue={issue} editable={editable} onAssign={() => setCommand('assign')} />
      </aside>
      <IssueCommands issue={issue} command={command} onCommand={setCommand} />
    </div>
  );
}
