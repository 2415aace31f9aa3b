import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/client';
import type { Issue, IssueStatus, ListedIssue, Me, Priority } from '../../api/types';
import type { IconName } from '../../parts/icon';
import { issueStatuses } from '../../parts/status';
import { announce, announceRefusal } from '../../parts/toasts';
import { hasRole } from '../../session/me';
import { refreshIssues } from './board/board-cards';

/** One thing that a person can do with an issue: the button, the menu, the palette and the keyboard all use it. */
interface IssueAction {
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

export type Known = Issue | ListedIssue;

interface Asked {
  issue: Known;
  change: IssueChange;
}

/** A change of an issue as a person asks for it; each is one request. */
export type IssueChange =
  | { kind: 'status'; to: IssueStatus }
  | { kind: 'pause' }
  | { kind: 'resume' }
  | { kind: 'assign'; to: Assignable | null }
  | { kind: 'priority'; priority: Priority };

/** An agent or a person who can have an issue. */
export interface Assignable {
  type: 'agent' | 'user';
  id: string;
  name: string;
}

const CHANGE = ['issue-change'];

/** Sends a change and refreshes what shows the issue. A refusal is shown in the service's own words. */
export function useIssueChange() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: CHANGE,
    mutationFn: ({ issue, change }: Asked) => sendChange(issue, change),
    onSuccess: (_, { issue, change }) => announce(...done(issue, change)),
    onError: (error, { issue, change }) => announceRefusal(refused(issue, change), error),
    // A change counts as pending until the lists show it, so that a moved card does not jump back in between.
    onSettled: (_data, _error, { issue }) => refreshIssues(client, [issue.id]),
  });
}

/** The changes of status that the service has not confirmed yet, by the id of their issue. */
export function usePendingMoves(): ReadonlyMap<string, IssueStatus> {
  const asked = useMutationState({
    filters: { mutationKey: CHANGE, status: 'pending' },
    select: ({ state }) => state.variables as Asked,
  });
  return useMemo(
    () =>
      new Map(
        asked.flatMap(({ issue, change }) =>
          change.kind === 'status' ? [[issue.id, change.to] as const] : [],
        ),
      ),
    [asked],
  );
}

/** Sends one change; throws the service's refusal. */
export function sendChange({ id: issueId, version }: Known, change: IssueChange): Promise<unknown> {
  const params = { path: { issueId } };
  // What a person decided on is what they saw; assignee and priority replace whatever is there.
  const asSeen = { ...params, header: { 'If-Match': `"${version}"` } };
  switch (change.kind) {
    case 'status':
      return change.to === 'Closed'
        ? api.POST('/api/projects/issues/{issueId}/close', { params: asSeen })
        : api.PUT('/api/projects/issues/{issueId}', { params: asSeen, body: { status: change.to } });
    case 'pause':
      return api.POST('/api/projects/issues/{issueId}/pause', { params });
    case 'resume':
      return api.POST('/api/projects/issues/{issueId}/resume', { params });
    case 'assign':
      return api.PUT('/api/projects/issues/{issueId}', {
        params,
        body: { assignee: change.to && { type: change.to.type, id: change.to.id } },
      });
    case 'priority':
      return api.PUT('/api/projects/issues/{issueId}', { params, body: { priority: change.priority } });
  }
}

function done({ key }: Known, change: IssueChange): [string] {
  switch (change.kind) {
    case 'status':
      return [`${key} is now ${issueStatuses[change.to].word.toLowerCase()}`];
    case 'pause':
      return [`${key} is paused`];
    case 'resume':
      return [`${key} is resumed`];
    case 'assign':
      return [change.to === null ? `${key} is unassigned` : `${key} is assigned to ${change.to.name}`];
    default:
      return [`${key} is changed`];
  }
}

function refused({ key, status }: Known, change: IssueChange): string {
  if (change.kind === 'status') return `${key} stays ${issueStatuses[status].word.toLowerCase()}`;
  return `${key} was not changed`;
}
