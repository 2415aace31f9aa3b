import type { ListedIssue } from '../../api/types';
import type { IconName } from '../../parts/icon';
import type { Tone } from '../../parts/status';
import { shortTime } from '../../parts/time';

/** Why a card stands where it stands, in one short sentence; a sign only where a person should look. */
export interface Reason {
  text: string;
  sign?: { tone: Tone; icon: IconName };
}

const SHOWN = 2;

/** Reads the reason off the list's row; it never takes a request per card. Null for finished work. */
export function reasonOf(issue: ListedIssue): Reason | null {
  const { status } = issue;
  if (status === 'Resolved' || status === 'Closed') return null;
  if (status === 'WaitingOnDependency') return reasonOfWaiting(issue);
  if (issue.paused) return { text: 'Paused; resume it to go on', sign: { tone: 'waiting', icon: 'pause' } };
  if (status === 'PendingReview') return { text: reviewWords(issue), sign: { tone: 'review', icon: 'user' } };
  return reasonOfOpen(issue);
}

function reasonOfOpen({ assignee, lease, status, why }: ListedIssue): Reason {
  if (assignee === null)
    return { text: 'No agent picks it up until it is assigned', sign: { tone: 'danger', icon: 'user' } };
  if (lease !== null) return reasonOfLease(lease.expiresAt);
  if (why && why.reason !== 'ready' && why.reason !== 'assigned_to_user')
    return { text: agentWords[why.reason] ?? why.sentence, sign: { tone: 'waiting', icon: 'clock' } };
  if (assignee.type === 'user') return { text: `${assignee.name} works on it` };
  return {
    text:
      status === 'InProgress'
        ? `${assignee.name} continues on its next heartbeat`
        : `Next for ${assignee.name}`,
  };
}

/** The service's sentence says to callers of the API what to do; a card has room for what is the case. */
const agentWords: Partial<Record<string, string>> = {
  agent_never_seen: 'Its agent has never connected',
  agent_failing: 'Its agent takes no more work',
  agent_silent: 'Its agent is silent',
  agent_full: 'Its agent is busy with other issues',
  agent_disabled: 'Its agent is disabled',
  agent_retired: 'Its agent was retired',
  agent_cannot_see_project: 'Its agent cannot see this project',
  halted: 'All agents are halted',
  budget: 'The budget is used up',
  released: 'Released by its agent',
  given_back: 'Given back by its agent',
  lease_ran_out: 'The lease ran out',
};

/** Whether a waiting issue waits for a person: for a decision, not for other work. */
export function waitsForPerson({ status, why }: ListedIssue): boolean {
  return status === 'WaitingOnDependency' && (why?.waitsFor.some(({ type }) => type !== 'issue') ?? false);
}

function reasonOfWaiting(issue: ListedIssue): Reason {
  const { paused, why } = issue;
  const labels = why?.waitsFor.map(({ label }) => label) ?? [];
  const shown = labels.slice(0, SHOWN).join(' and ');
  const more = labels.length > SHOWN ? ` and ${labels.length - SHOWN} more` : '';
  const decision = why?.waitsFor.find(({ type }) => type !== 'issue');
  const others = labels.length === 0 ? 'Waits for other work' : `Waits for ${shown}${more}`;
  // A gate is named by its title, which is a sentence or a question.
  const text = decision ? `Needs a decision: ${decision.label}` : others;
  const sign = waitsForPerson(issue) ? { sign: { tone: 'review', icon: 'user' } as const } : {};
  return { text: paused ? `${text}; paused` : text, ...sign };
}

const reviewWords = ({ attempts }: ListedIssue): string =>
  attempts > 0 ? `Failed ${attempts} times, needs a decision` : 'Waits for a review';

function reasonOfLease(expiresAt: string): Reason {
  return Date.parse(expiresAt) > Date.now()
    ? { text: `In progress, lease until ${shortTime(expiresAt)}` }
    : { text: `Lease ran out ${shortTime(expiresAt)}`, sign: { tone: 'waiting', icon: 'clock' } };
}
