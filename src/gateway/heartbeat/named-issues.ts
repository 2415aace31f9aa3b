import type { IssueAnswer } from '../../work/gates/answers/gate-answers.repository.js';
import { changesBetween, type BriefField } from '../../work/issues/leases/brief-changes.js';
import type { NamedLease, RenewedLease } from '../../work/issues/leases/leases.repository.js';
import type { StopReason } from '../../work/issues/leases/stop-reason.js';
import type { NewComment } from './new-comments.repository.js';
import type { Stopped } from './work/work-list.service.js';

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
