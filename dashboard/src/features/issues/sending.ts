import { api, bodyOf } from '../../api/client';
import { asProblem, Problem } from '../../api/problem';
import type { Issue, IssueLabel, IssueStatus, ListedIssue, Priority } from '../../api/types';
import type { Relabelling } from '../../shared/labels/chooser';

export type Known = Issue | ListedIssue;

/** An agent or a person who can have an issue. */
export interface Assignable {
  type: 'agent' | 'user';
  id: string;
  name: string;
}

/** A change of an issue as a person asks for it; each is one request. */
export type IssueChange =
  | { kind: 'status'; to: IssueStatus }
  /** Closes an issue with all that is open below it, also where other issues wait for one of these. */
  | { kind: 'close-all' }
  | { kind: 'pause' }
  | { kind: 'resume' }
  | { kind: 'assign'; to: Assignable | null }
  | { kind: 'priority'; priority: Priority }
  | { kind: 'goal'; to: { id: string; title: string } | null }
  /** Without `holdsParent` the parent waits for the issue as the one before did. */
  | { kind: 'parent'; to: { id: string; key: string } | null; holdsParent?: boolean }
  | ({ kind: 'relabel' } & Relabelling)
  /** All labels that the issue is to have. */
  | { kind: 'labels'; labels: readonly IssueLabel[] }
  | { kind: 'block'; by: { id: string; key: string } }
  /** Gives an issue back to those who had it. */
  | { kind: 'reassign'; assignedAgentId: string | null; assigneeUserId: string | null };

/** What a change did to an issue: what it was before, and its version now. */
export interface Done {
  before: Known;
  version: number;
  /** The statuses that it can have next; null where the service did not say. */
  allowed: readonly IssueStatus[] | null;
}

/**
 * Sends one change of an issue as the person saw it. An issue that changed meanwhile is read again; what replaces whatever
 * is there is then sent for the new version, so that what it replaced is known.
 * @throws {Problem} the service's refusal
 */
export async function sendChange(issue: Known, change: IssueChange): Promise<Done> {
  try {
    return await sendAsSeen(issue, change);
  } catch (error) {
    // A person decides on a status by what they saw.
    const isOfStatus = change.kind === 'status' || change.kind === 'close-all';
    if (asProblem(error).code !== 'version_mismatch' || isOfStatus) throw error;
    const params = { path: { issueId: issue.id } };
    return sendAsSeen(await bodyOf(api.GET('/api/projects/issues/{issueId}', { params })), change);
  }
}

/** Sends one change of an issue, which is refused where the issue has changed since it was seen. @throws {Problem} */
export async function sendAsSeen(issue: Known, change: IssueChange): Promise<Done> {
  const params = { path: { issueId: issue.id }, header: { 'If-Match': `"${issue.version}"` } };
  // An answer without a body comes after exactly one change of the version that was sent.
  const next: Done = { before: issue, version: issue.version + 1, allowed: null };
  const put = async (body: NonNullable<Parameters<typeof putIssue>[1]>): Promise<Done> => {
    const { version, allowedTransitions } = await putIssue(params, body);
    return { before: issue, version, allowed: allowedTransitions };
  };
  switch (change.kind) {
    case 'status':
      if (change.to !== 'Closed') return put({ status: change.to });
      await api.POST('/api/projects/issues/{issueId}/close', { params });
      return next;
    case 'close-all':
      await api.POST('/api/projects/issues/{issueId}/close', {
        params: { ...params, query: { force: true } },
      });
      return next;
    case 'pause':
    case 'resume':
      await api.POST(`/api/projects/issues/{issueId}/${change.kind}`, { params });
      return next;
    case 'assign':
      return put({ assignee: change.to && { type: change.to.type, id: change.to.id } });
    case 'reassign':
      return put({ assignedAgentId: change.assignedAgentId, assigneeUserId: change.assigneeUserId });
    case 'priority':
      return put({ priority: change.priority });
    case 'goal':
      return put({ goalId: change.to?.id ?? null });
    case 'parent':
      return put({
        parentId: change.to?.id ?? null,
        ...(change.holdsParent === undefined ? {} : { holdsParent: change.holdsParent }),
      });
    case 'relabel':
      return put({ labels: relabelled(issue.labels, change) });
    case 'labels':
      return put({ labels: change.labels.map(({ id }) => id) });
    case 'block':
      await api.POST('/api/projects/issues/{issueId}/links', {
        params: { path: params.path },
        body: { targetIssueId: change.by.id, linkType: 'BlockedBy' },
      });
      return { ...next, version: issue.version };
  }
}

/** The ids of the labels of an issue after a change. */
function relabelled(labels: readonly IssueLabel[], { added, removed }: Relabelling): string[] {
  const lost = new Set(removed.map(({ id }) => id));
  return [...new Set([...labels, ...added].map(({ id }) => id))].filter((id) => !lost.has(id));
}

const putIssue = (
  params: { path: { issueId: string }; header: { 'If-Match': string } },
  body: { [Field in keyof Issue]?: unknown },
) => bodyOf(api.PUT('/api/projects/issues/{issueId}', { params, body: body as object }));

/**
 * The change that takes another one back exactly; null where nothing does. Work that was stopped is not begun again by
 * it: an agent takes it up by itself.
 */
export function inverseOf({ before, allowed }: Done, change: IssueChange): IssueChange | null {
  const { assignedAgentId, assigneeUserId, goalId, holdsParent, labels, parentId, priority } = before;
  switch (change.kind) {
    case 'assign':
      return { kind: 'reassign', assignedAgentId, assigneeUserId };
    case 'priority':
      return { kind: 'priority', priority };
    case 'goal':
      return { kind: 'goal', to: goalId === null ? null : { id: goalId, title: '' } };
    case 'parent':
      // An issue on the top level has lost that its parent does not wait for it.
      return {
        kind: 'parent',
        to: parentId === null ? null : { id: parentId, key: 'another issue' },
        holdsParent,
      };
    case 'labels':
    case 'relabel':
      return { kind: 'labels', labels };
    case 'pause':
      return { kind: 'resume' };
    case 'resume':
      return { kind: 'pause' };
    case 'status':
      return backTo(before, allowed);
    default:
      return null;
  }
}

/** An issue that waited waits again once it is open, and a finished one can only be opened. */
function backTo({ status, paused }: Known, allowed: Done['allowed']): IssueChange | null {
  const to = status === 'WaitingOnDependency' ? 'Open' : status;
  const can = allowed === null ? to === 'Open' : allowed.includes(to);
  return can && !paused ? { kind: 'status', to } : null;
}

/** An issue that was not changed, and why. */
export interface Refused {
  issue: Known;
  problem: Problem;
}

export interface Outcome {
  done: Done[];
  refused: Refused[];
}

/** How many issues below them kept others from being closed. */
export const openBelow = (refused: readonly Refused[]): number =>
  refused.reduce((sum, { problem: { members } }) => {
    const children = members['children'];
    return sum + (Array.isArray(children) ? children.length : 0);
  }, 0);

/** Requests at once: more make each of them slower, and the page too. */
const AT_ONCE = 6;
const MOST_WAITS = 10;

export interface Asked {
  issue: Known;
  change: IssueChange;
}

/**
 * Sends a change for each of several issues, and goes on when one is refused.
 * @param onAnswer called with how many have been answered
 * @param signal ends it: what was not sent then is neither done nor refused
 */
export async function sendSeveral(
  asked: readonly Asked[],
  send: typeof sendChange = sendChange,
  onAnswer: (answered: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<Outcome> {
  const outcome: Outcome = { done: [], refused: [] };
  const waiting = [...asked];
  const take = (): Asked | undefined => (signal?.aborted ? undefined : waiting.shift());
  const work = async (): Promise<void> => {
    for (let next = take(); next !== undefined; next = take()) {
      const { issue, change } = next;
      try {
        outcome.done.push(await patiently(() => send(issue, change)));
      } catch (error) {
        outcome.refused.push({ issue, problem: asProblem(error) });
      }
      onAnswer(outcome.done.length + outcome.refused.length);
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, work));
  return outcome;
}

/** Waits as long as the service asks for where there were too many requests in a minute. */
async function patiently<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await act();
    } catch (error) {
      const { status, retryAfter } = asProblem(error);
      if (status !== 429 || waits === MOST_WAITS) throw error;
      await new Promise((resolve) => setTimeout(resolve, (retryAfter ?? 1) * 1_000));
    }
  }
}

/** Why issues were refused, in the service's own words: each reason once, with the keys that it is about. */
export function reasonsOf(refused: readonly Refused[]): string {
  const byReason = new Map<string, string[]>();
  for (const { issue, problem } of refused) {
    const keys = byReason.get(problem.detail) ?? [];
    byReason.set(problem.detail, [...keys, issue.key]);
  }
  const shown = [...byReason].slice(0, MOST_REASONS).map(([detail, keys]) => `${listed(keys)}: ${detail}`);
  const more = byReason.size - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} more ${more === 1 ? 'reason' : 'reasons'}.`] : [])].join(
    '\n',
  );
}

const MOST_REASONS = 4;
const MOST_KEYS = 5;

function listed(keys: readonly string[]): string {
  const more = keys.length - MOST_KEYS;
  return more > 0 ? `${keys.slice(0, MOST_KEYS).join(', ')} and ${more} more` : keys.join(', ');
}
