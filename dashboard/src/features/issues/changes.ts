import { type QueryClient, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { asProblem } from '../../api/problem';
import type { IssueStatus, Me } from '../../api/types';
import { countOf, sayNumber } from '../../parts/count';
import type { IconName } from '../../parts/icon';
import { issueStatuses, priorityWord } from '../../parts/status';
import { announce, announceRefusal, type ToastAction } from '../../parts/toasts';
import { hasRole } from '../../session/me';
import type { Relabelling } from '../../shared/labels/chooser';
import { refreshIssues } from './board/board-data';
import {
  type Asked,
  type Done,
  inverseOf,
  type IssueChange,
  type Known,
  openBelow,
  reasonsOf,
  type Refused,
  sendAsSeen,
  sendChange,
  sendSeveral,
} from './sending';

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

const CHANGE = ['issue-change'];

/**
 * Sends a change and refreshes what shows the issue. A refusal is shown in the service's own words, and what can be taken
 * back is offered to be.
 */
export function useIssueChange() {
  const client = useQueryClient();
  return useMutation({
    mutationKey: CHANGE,
    mutationFn: ({ issue, change }: Asked) => sendChange(issue, change),
    onSuccess: (done, { change }) => announceDone([done], change, client),
    onError: (error, { issue, change }) =>
      announceRefusal(
        refusedWords(issue, change),
        error,
        closingOffer([{ issue, problem: asProblem(error) }], client),
      ),
    // A change counts as pending until the lists show it, so that a moved card does not jump back in between.
    onSettled: (_data, _error, { issue }) => refreshIssues(client, [issue.id]),
  });
}

/** Says what was changed, with the offer to take it back as far as the service can do that exactly. */
export function announceDone(done: readonly Done[], change: IssueChange, client: QueryClient): void {
  if (done.length === 0) return;
  const issues = done.map(({ before }) => before);
  const back = done.flatMap((one): Asked[] => {
    const inverse = inverseOf(one, change);
    return inverse ? [{ issue: { ...one.before, version: one.version }, change: inverse }] : [];
  });
  if (back.length === 0) return announce(doneWords(issues, change));
  const left = done.length - back.length;
  announce(
    doneWords(issues, change),
    left > 0 ? `Of ${sayNumber(left)} of them this cannot be taken back.` : undefined,
    { label: 'Undo', perform: () => void takeBack(back, client) },
  );
}

/** An issue that changed since stays as it is, and the person is told. */
async function takeBack(back: readonly Asked[], client: QueryClient): Promise<void> {
  const { done, refused } = await sendSeveral(back, sendAsSeen);
  const [first] = done;
  if (first)
    announce(done.length === 1 ? `${first.before.key} is as before` : `${sayNumber(done.length)} as before`);
  announceRefused(refused, back.length, 'not changed back', client);
  await refreshIssues(
    client,
    back.map(({ issue }) => issue.id),
  );
}

/** Says which of several issues were refused and why, until it is dismissed. @param what "not assigned" */
export function announceRefused(
  refused: readonly Refused[],
  all: number,
  what: string,
  client: QueryClient,
): void {
  if (refused.length === 0) return;
  const title =
    all === 1
      ? `${refused[0]!.issue.key} was ${what}`
      : `${sayNumber(refused.length)} of ${sayNumber(all)} were ${what}`;
  announceRefusal(title, all === 1 ? refused[0]!.problem : reasonsOf(refused), closingOffer(refused, client));
}

/** Offers to close the issues that were refused because of open issues below them together with those. */
function closingOffer(refused: readonly Refused[], client: QueryClient): ToastAction | undefined {
  const parents = refused.filter(({ problem }) => problem.code === 'open_children');
  if (parents.length === 0) return undefined;
  const issues = parents.map(({ issue }) => issue);
  return {
    label: `Close with ${countOf(openBelow(parents), 'open sub-issue')}`,
    perform: () => void closeAll(issues, client),
  };
}

async function closeAll(issues: readonly Known[], client: QueryClient): Promise<void> {
  const change = { kind: 'close-all' } as const;
  const { done, refused } = await sendSeveral(issues.map((issue) => ({ issue, change })));
  announceDone(done, change, client);
  announceRefused(refused, issues.length, 'not closed', client);
  await refreshIssues(
    client,
    issues.map(({ id }) => id),
  );
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

/** What happened: `PAY-3 is assigned to juno`, `10 assigned to juno`. */
export function doneWords(issues: readonly Pick<Known, 'key'>[], change: IssueChange): string {
  const [one] = issues;
  const who = issues.length === 1 && one ? `${one.key} is` : sayNumber(issues.length);
  switch (change.kind) {
    case 'status':
      return `${who} now ${issueStatuses[change.to].word.toLowerCase()}`;
    case 'pause':
      return `${who} paused`;
    case 'resume':
      return `${who} resumed`;
    case 'assign':
      return change.to === null ? `${who} unassigned` : `${who} assigned to ${change.to.name}`;
    case 'priority':
      return `${who} now ${priorityWord(change.priority).toLowerCase()}`;
    case 'goal':
      return change.to === null ? `${who} without a goal` : `${who} part of “${change.to.title}”`;
    case 'parent':
      return change.to === null ? `${who} on the top level` : `${who} a sub-issue of ${change.to.key}`;
    case 'close-all':
      return `${who} closed with all below`;
    case 'relabel':
      return `${who} ${relabelledWords(change)}`;
    case 'labels':
      return change.labels.length === 0
        ? `${who} without labels`
        : `${who} labelled ${change.labels.map(({ name }) => name).join(', ')}`;
    case 'block':
      return `${who} blocked by ${change.by.key}`;
    default:
      return `${who} changed`;
  }
}

function relabelledWords({ added, removed }: Relabelling): string {
  const names = (labels: Relabelling['added']) => labels.map(({ name }) => name).join(', ');
  const without = `without ${names(removed)}`;
  if (added.length === 0) return without;
  return `labelled ${names(added)}${removed.length === 0 ? '' : ` and ${without}`}`;
}

function refusedWords({ key, status }: Known, change: IssueChange): string {
  if (change.kind === 'status') return `${key} stays ${issueStatuses[status].word.toLowerCase()}`;
  return `${key} was not changed`;
}
