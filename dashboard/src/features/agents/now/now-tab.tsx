import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Agent, ListedIssue } from '../../../api/types';
import { Card, Rows } from '../../../parts/card';
import { sayNumber } from '../../../parts/count';
import { Empty, Loaded } from '../../../parts/notice';
import { PriorityIcon, StatusIcon } from '../../../parts/status';
import { shortTime } from '../../../parts/time';
import { assignedIssuesQuery } from '../queries';
import styles from './now-tab.module.css';

interface AssignedGroup {
  title: string;
  issues: readonly ListedIssue[];
}

/** An agent's unfinished issues by what happens to them next; groups without issues are left out. */
export function groupsOf(issues: readonly ListedIssue[]): AssignedGroup[] {
  const isNext = ({ status, paused }: ListedIssue) => status === 'Open' && !paused;
  return [
    { title: 'In progress', issues: issues.filter(({ status }) => status === 'InProgress') },
    { title: 'Next', issues: issues.filter(isNext) },
    { title: 'Waits', issues: issues.filter((issue) => issue.status !== 'InProgress' && !isNext(issue)) },
  ].filter((group) => group.issues.length > 0);
}

/** Why an issue stands where it stands, in the service's words; one with a live lease has its end. */
export function lineOf({ status, lease, why }: ListedIssue, now = Date.now()): string {
  if (status !== 'InProgress' || lease === null) return why?.sentence ?? '';
  const at = shortTime(lease.expiresAt);
  return Date.parse(lease.expiresAt) > now ? `Lease until ${at}` : (why?.sentence ?? `Lease ran out ${at}`);
}

/** What an agent works on, what it takes next, and what waits, each with its reason. */
export function NowTab({ agent }: { agent: Agent }) {
  const issues = useQuery(assignedIssuesQuery(agent.id));
  return (
    <Loaded query={issues} what="Its issues">
      {({ rows, total }) =>
        rows.length === 0 ? (
          <Empty icon="board" title="Nothing is assigned to it">
            Assign an issue to {agent.name} on the issue’s page or when you create one. It takes the issue on
            its next heartbeat.
          </Empty>
        ) : (
          <div className="stack">
            {groupsOf(rows).map((group) => (
              <Card key={group.title} title={group.title} count={group.issues.length} flush>
                <Rows label={group.title}>
                  {group.issues.map((issue) => (
                    <Row key={issue.id} issue={issue} line={lineOf(issue)} />
                  ))}
                </Rows>
              </Card>
            ))}
            {total !== null && total > rows.length && (
              <p className="soft small">
                The {rows.length} most urgent of {sayNumber(total)} unfinished issues.
              </p>
            )}
          </div>
        )
      }
    </Loaded>
  );
}

function Row({ issue, line }: { issue: ListedIssue; line: string }) {
  return (
    <li className={styles.row}>
      <StatusIcon status={issue.status} />
      <span className={styles.key}>{issue.key}</span>
      <PriorityIcon priority={issue.priority} />
      <Link to="/i/$key" params={{ key: issue.key }} className={styles.title}>
        {issue.title}
      </Link>
      <span className={styles.line} title={line}>
        {line}
      </span>
    </li>
  );
}
