import type { ListedIssue } from '../../api/types';
import { issueStatuses, type Tone } from '../../parts/status';
import type { IconName } from '../../parts/icon';
import { shortTime } from '../../parts/time';

/** Why a card stands where it stands, in one short sentence; a sign only where a person should look. */
export interface Reason {
  text: string;
  sign?: { tone: Tone; icon: IconName };
}

/** Reads the reason off the summary; it never takes a request per card. */
export function reasonOf(issue: ListedIssue): Reason {
  const { assignee, lease, paused, status } = issue;
  if (paused) return { text: 'Paused; resume it to go on', sign: { tone: 'waiting', icon: 'pause' } };
  if (status === 'WaitingOnDependency') return { text: 'Waits for other work' };
  if (status === 'PendingReview')
    return {
      text: issue.attempts > 0 ? `Failed ${issue.attempts} times, needs a decision` : 'Waits for a review',
      sign: { tone: 'review', icon: 'user' },
    };
  if (status === 'Resolved' || status === 'Closed') return { text: issueStatuses[status].word };
  if (assignee === null) return { text: 'Unassigned', sign: { tone: 'danger', icon: 'user' } };
  if (lease !== null) return reasonOfLease(lease.expiresAt);
  if (status === 'InProgress' && assignee.type === 'agent')
    return {
      text: `${assignee.name} continues on its next heartbeat`,
      sign: { tone: 'waiting', icon: 'clock' },
    };
  return assignee.type === 'agent'
    ? { text: `Next for ${assignee.name}` }
    : { text: `${assignee.name} works on it` };
}

function reasonOfLease(expiresAt: string): Reason {
  return Date.parse(expiresAt) > Date.now()
    ? { text: `In progress, lease until ${shortTime(expiresAt)}` }
    : { text: `Lease ran out ${shortTime(expiresAt)}`, sign: { tone: 'waiting', icon: 'clock' } };
}
