import type { IssueStatus, Me } from '../../api/types';
import type { IconName } from '../../parts/icon';
import { issueStatuses } from '../../parts/status';
import { hasRole } from '../../session/roles';
import type { IssueChange, Known } from './changes';

/** One thing that a person can do with an issue: the button, the menu, the palette and the keyboard all use it. */
export interface IssueAction {
  id: string;
  label: string;
  icon: IconName;
  shortcut?: string;
  danger?: boolean;
  change: IssueChange;
}

const verbs: Record<IssueStatus, string> = {
  Open: 'Back to open',
  InProgress: 'Start',
  WaitingOnDependency: 'Wait',
  PendingReview: 'Ask for review',
  Resolved: 'Resolve',
  Closed: 'Close',
};

/** The actions that the service would accept from this person, the most likely one first. */
export function actionsFor(issue: Known, me: Me): IssueAction[] {
  if (!hasRole(me, 'Editor')) return [];
  return [...transitions(issue), ...pauseOrResume(issue)];
}

function transitions(issue: Known): IssueAction[] {
  const order: IssueStatus[] = ['Resolved', 'PendingReview', 'InProgress', 'Open', 'Closed'];
  return order
    .filter((to) => issue.allowedTransitions.includes(to) && to !== issue.status)
    .map((to) => ({
      id: `status-${to}`,
      label: labelOf(issue.status, to),
      icon: issueStatuses[to].icon,
      change: { kind: 'status', to },
    }));
}

function labelOf(from: IssueStatus, to: IssueStatus): string {
  if (to === 'Open' && (from === 'Resolved' || from === 'Closed')) return 'Reopen';
  if (to === 'InProgress' && from === 'PendingReview') return 'Send back';
  return verbs[to];
}

function pauseOrResume({ status, paused }: Known): IssueAction[] {
  if (paused && status === 'Open')
    return [{ id: 'resume', label: 'Resume', icon: 'progress', shortcut: 'p', change: { kind: 'resume' } }];
  if (status === 'InProgress')
    return [{ id: 'pause', label: 'Pause', icon: 'pause', shortcut: 'p', change: { kind: 'pause' } }];
  return [];
}
