import type { Agent, ListedIssue } from '../../../api/types';
import { shortTime } from '../../../parts/time';

export interface AssignedGroup {
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

/** Why an issue stands where it stands, as this agent sees it. */
export function lineOf(issue: ListedIssue, agent: Agent, now = Date.now()): string {
  const { status, lease, paused } = issue;
  if (paused) return 'Paused; resume it to go on';
  if (status === 'WaitingOnDependency') return 'Waits for other work';
  if (status === 'PendingReview') return 'Waits for a review by a person';
  const withheld = notHandedOut(agent);
  if (status === 'InProgress') {
    if (lease === null) return withheld ?? 'Continues on its next heartbeat';
    const at = shortTime(lease.expiresAt);
    return Date.parse(lease.expiresAt) > now ? `Lease until ${at}` : `Lease ran out ${at}`;
  }
  if (withheld !== null) return withheld;
  if (agent.activeIssues >= agent.maxConcurrentIssues) return 'Next, when one is finished';
  return 'Handed out on its next heartbeat';
}

function notHandedOut({ disabled, failing }: Agent): string | null {
  if (disabled) return 'Not handed out while the agent is disabled';
  return failing ? 'Not handed out: the agent takes no more work' : null;
}
