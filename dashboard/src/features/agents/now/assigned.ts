import type { ListedIssue } from '../../../api/types';
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

/** Why an issue stands where it stands, in the service's words; one with a live lease has its end. */
export function lineOf({ status, lease, why }: ListedIssue, now = Date.now()): string {
  if (status !== 'InProgress' || lease === null) return why?.sentence ?? '';
  const at = shortTime(lease.expiresAt);
  return Date.parse(lease.expiresAt) > now ? `Lease until ${at}` : (why?.sentence ?? `Lease ran out ${at}`);
}
