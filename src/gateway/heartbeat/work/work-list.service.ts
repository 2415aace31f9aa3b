import { Injectable } from '@nestjs/common';
import type { IssueAnswer } from '../../../work/gates/answers/gate-answers.repository.js';
import type { IssueRow } from '../../../work/issues/issue-row.js';
import { IssuesRepository } from '../../../work/issues/issues.repository.js';
import { changesBetween, NO_CHANGES } from '../../../work/issues/leases/brief-changes.js';
import type { PickedUp } from '../../../work/issues/leases/pick-ups.service.js';
import type { HeardBrief, RenewedLease } from '../../../work/issues/leases/leases.repository.js';
import type { StopReason } from '../../../work/issues/leases/stop-reason.js';
import { AttachedFilesRepository, type AttachedFile } from '../attached-files.repository.js';
import { NewCommentsRepository, type NewComment } from '../new-comments.repository.js';
import { briefOf, COMMENTS_PER_BRIEF } from './brief.js';
import type { WorkItem } from './work-item.js';

/** A lease that its worker must stop working under. */
export interface Stopped {
  issueId: string;
  token: number;
  reason: StopReason;
  /** Whether the agent sees the issue. */
  isSeen: boolean;
}

/** What a heartbeat decided about a worker's leases. */
export interface Decided {
  pickedUp: PickedUp[];
  /** What the agent knew of those issues among them that it had before. */
  heard: HeardBrief[];
  renewed: RenewedLease[];
  stopped: Stopped[];
  newComments: NewComment[];
  answers: IssueAnswer[];
  /** The tokens that the request names, as `issueId token`; null for a request that names no leases at all. */
  named: ReadonlySet<string> | null;
}

/** What briefs are made from. */
interface Sources {
  issues: Map<string, IssueRow>;
  comments: NewComment[];
  files: AttachedFile[];
}

/**
 * Lists all leases of a worker (contract §7.1). A lease that the worker does not name is one to start: it has lost the
 * response that handed it out, or was restarted.
 */
@Injectable()
export class WorkListService {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly comments: NewCommentsRepository,
    private readonly files: AttachedFilesRepository,
  ) {}

  /** Takes the same few statements whatever the number of leases. */
  async list(decided: Decided): Promise<WorkItem[]> {
    const { pickedUp, renewed, stopped } = decided;
    const running = [...renewed.map(({ issueId }) => issueId), ...pickedUp.map(({ issue }) => issue.id)];
    const seen = stopped.filter(({ isSeen }) => isSeen).map(({ issueId }) => issueId);
    const sources = await this.read(running, [...running, ...seen]);
    return [
      ...stopped.map((lease) => stopItem(lease, sources)),
      ...renewed.map((lease) => renewedItem(lease, decided, sources)),
      ...pickedUp.map(({ issue, token, expiresAt }) => ({
        ...startOf(sources, issue.id),
        ...newsOf(issue.id, decided.heard.find(ofIssue(issue.id)) ?? null, decided, sources),
        token,
        expiresAt,
      })),
    ];
  }

  private async read(running: string[], shown: string[]): Promise<Sources> {
    if (shown.length === 0) return { issues: new Map(), comments: [], files: [] };
    const rows = await this.issues.readAll(shown);
    const issues = new Map(rows.map((issue) => [issue.id, issue]));
    if (running.length === 0) return { issues, comments: [], files: [] };
    const comments = await this.comments.last(running, COMMENTS_PER_BRIEF);
    return { issues, comments, files: await this.files.list(running) };
  }
}

const ofIssue =
  (id: string) =>
  ({ issueId }: { issueId: string }) =>
    issueId === id;

function startOf({ issues, comments, files }: Sources, id: string): Omit<WorkItem, 'token' | 'expiresAt'> {
  const issue = issues.get(id)!;
  return {
    issueId: id,
    issue,
    state: 'start',
    reason: null,
    brief: briefOf(issue, comments.filter(ofIssue(id)), files.filter(ofIssue(id))),
    changed: [],
    newComments: [],
    answers: [],
    newAttachments: [],
  };
}

/** Returns all that is new since the agent's last turn on the issue. @param brief null for an issue that it never had */
function newsOf(id: string, brief: HeardBrief | null, { newComments, answers }: Decided, { files }: Sources) {
  const { changed, newAttachmentIds } = brief ? changesBetween(brief.heard, brief.present) : NO_CHANGES;
  return {
    changed,
    newComments: newComments.filter(ofIssue(id)),
    answers: answers.filter(ofIssue(id)),
    newAttachments: files.filter((file) => newAttachmentIds.includes(file.id)),
  };
}

function renewedItem(lease: RenewedLease, decided: Decided, sources: Sources): WorkItem {
  const { issueId, token, expiresAt } = lease;
  const { named } = decided;
  const isKnown = named === null || named.has(`${issueId} ${token}`);
  return {
    ...startOf(sources, issueId),
    token,
    expiresAt,
    state: isKnown ? 'continue' : 'start',
    ...newsOf(issueId, lease, decided, sources),
  };
}

function stopItem({ issueId, token, reason }: Stopped, { issues }: Sources): WorkItem {
  return {
    issueId,
    issue: issues.get(issueId) ?? null,
    token,
    expiresAt: null,
    state: 'stop',
    reason,
    brief: null,
    changed: [],
    newComments: [],
    answers: [],
    newAttachments: [],
  };
}
