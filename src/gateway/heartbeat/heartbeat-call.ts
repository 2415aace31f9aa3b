import type { IssueAnswer } from '../../work/gates/gate.entity.js';
import { type BriefField, changesBetween } from '../../work/issue-status/brief-changes.js';
import type { NamedLease, RenewedLease } from '../../work/issue-status/issue-lease.repository.js';
import type { StopReason } from '../../work/issue-status/stop-reasons.js';
import type { NewComment } from './new-comments.repository.js';
import type { Stopped } from './work-list-and-briefs.service.js';
import type { NamedProcess } from './worker-instances-and-connections.service.js';

/** A lease that a worker names: `reference` is the id or key that it sent, `id` null where that names no issue it sees. */
export interface NamedIssue {
  reference: string;
  id: string | null;
  token: number;
}

export type Stop = NamedIssue & { reason: StopReason; isSeen: boolean };

/** A lease that was renewed. */
export interface ActiveLease {
  id: string;
  /** As the worker named it. */
  issueId: string;
  token: number;
  expiresAt: Date;
  newComments: NewComment[];
  changed: BriefField[];
  answers: IssueAnswer[];
}

const ofIssue =
  (id: string) =>
  ({ issueId }: { issueId: string }) =>
    issueId === id;

export function activeOf(
  { issueId: id, token, expiresAt, heard, present }: RenewedLease,
  named: NamedIssue[],
  newComments: NewComment[],
  answers: IssueAnswer[],
): ActiveLease {
  return {
    id,
    issueId: named.find((issue) => issue.id === id)?.reference ?? id,
    token,
    expiresAt,
    newComments: newComments.filter(ofIssue(id)),
    changed: changesBetween(heard, present).changed,
    answers: answers.filter(ofIssue(id)),
  };
}

/** One stop per issue, also where the worker names it with several tokens. */
export function stoppedOf(stops: Stop[]): Stopped[] {
  const perIssue = new Map(stops.map(({ id, reference, ...stop }) => [id ?? reference, stop]));
  return [...perIssue].map(([issueId, stop]) => ({ issueId, ...stop }));
}

/** The tokens that a request names, as `issueId token`; null for one that names no leases at all. */
export function namesIn(leases: NamedLease[] | null, named: NamedIssue[]): ReadonlySet<string> | null {
  return leases && new Set(named.map(({ id, token }) => `${id} ${token}`));
}

/** What a worker reports (contract §7.1). */
export interface HeartbeatCall {
  /** The leases that it holds, by the id or key of their issues; null where it names none. */
  leases: NamedLease[] | null;
  /** How many more issues it can take now; null for no limit of its own. */
  capacity: number | null;
  /** Its name among the agent's workers; null for a worker that keeps its leases itself. */
  worker: string | null;
  /** The process that works under that name; absent where the caller names none. */
  instance?: { id: string; takeOver: boolean } | null;
  /** Why it takes no more work until a person has acted; null while it takes work. */
  failing: string | null;
}

/** Returns the process that a heartbeat names, and whether it takes the name over; null where it names none. */
export function processOf(
  agentId: string,
  { worker, instance }: HeartbeatCall,
): (NamedProcess & { takeOver: boolean }) | null {
  if (worker === null || !instance) return null;
  return { agentId, worker, instance: instance.id, takeOver: instance.takeOver };
}
