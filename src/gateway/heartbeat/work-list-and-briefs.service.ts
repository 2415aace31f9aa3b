import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { IssueAnswer } from '../../work/gates/gate.entity.js';
import { type BriefField, changesBetween, NO_CHANGES } from '../../work/issue-status/brief-changes.js';
import type { HeardBrief, RenewedLease } from '../../work/issue-status/issue-lease.repository.js';
import type { IssueRow } from '../../work/issue-status/issue-row-and-references.js';
import { Issue } from '../../work/issue-status/issue.entity.js';
import { IssueRepository } from '../../work/issue-status/issue.repository.js';
import type { StopReason } from '../../work/issue-status/stop-reasons.js';
import type { PickedUp } from '../../work/leases/pick-ups.service.js';
import { type AttachedFile, HeartbeatRepository, type Relative } from './heartbeat.repository.js';
import { type NewComment, NewCommentsRepository } from './turns-and-new-comments.service.js';

/** The most comments in a brief: the newest. */
export const COMMENTS_PER_BRIEF = 100;

/** Returns where an attachment's bytes are. */
export const downloadUrlOf = (id: string) => `/api/projects/attachments/${id}/download`;

/** Returns all that a worker needs to begin, as Markdown: title, labels, description, place in the tree, comments, files, and the attempt. */
export function briefOf(
  { key, title, labels, description, attempts, createdByType, createdByName }: IssueRow,
  comments: NewComment[],
  files: AttachedFile[],
  relatives: Relative[],
): string {
  const parts = [
    `# ${key}: ${title}`,
    // What an agent wrote may be meant to mislead another one.
    createdByType === 'agent' ? `This issue comes from the agent ${createdByName}, not from a person.` : '',
    labels ? `Labels: ${labels.map(({ name }) => name).join(', ')}.` : '',
    description,
    ...family(relatives),
    comments.length > 0 ? ['## Comments', ...comments.map(said)].join('\n\n') : '',
    files.length > 0 ? ['## Attachments', files.map(line).join('\n')].join('\n\n') : '',
    `Attempt ${attempts + 1}.`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const HEADINGS = [
  ['parent', '## Part of'],
  ['doneBeside', '## Done beside it'],
  ['child', '## Its sub-issues'],
] as const;

function family(relatives: Relative[]): string[] {
  return HEADINGS.flatMap(([of, heading]) => {
    const lines = relatives
      .filter(({ relation }) => relation === of)
      .map(({ key, title, status }) => `- ${key}: ${title} (${status})`);
    return lines.length > 0 ? [`${heading}\n\n${lines.join('\n')}`] : [];
  });
}

function said({ authorName, createdAt, content }: NewComment): string {
  return `**${authorName}**, ${createdAt.toISOString()}:\n\n${content}`;
}

function line({ id, filename, contentType, size }: AttachedFile): string {
  return `- ${filename} (${contentType}, ${size} bytes): ${downloadUrlOf(id)}`;
}

/** What a worker has to do with an issue: begin, go on, or stop. */
export const workStates = ['start', 'continue', 'stop'] as const;
export type WorkState = (typeof workStates)[number];

/** One issue of a worker. */
export interface WorkItem {
  issueId: string;
  /** null when the agent does not see the issue. */
  issue: IssueRow | null;
  token: number;
  /** null for `stop`. */
  expiresAt: Date | null;
  state: WorkState;
  /** Why to stop; null otherwise. */
  reason: StopReason | null;
  /** null for `stop`. */
  brief: string | null;
  changed: BriefField[];
  newComments: NewComment[];
  newAttachments: AttachedFile[];
  answers: IssueAnswer[];
}

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
  relatives: Relative[];
}

const NOTHING = { comments: [], files: [], relatives: [] };

/**
 * Lists all leases of a worker (contract §7.1). A lease that the worker does not name is one to start: it has lost the
 * response that handed it out, or was restarted.
 */
@Injectable()
export class WorkListService {
  constructor(
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly comments: NewCommentsRepository,
    private readonly files: HeartbeatRepository,
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
    if (shown.length === 0) return { issues: new Map(), ...NOTHING };
    const rows = await this.issues.readAll(shown);
    const issues = new Map(rows.map((issue) => [issue.id, issue]));
    if (running.length === 0) return { issues, ...NOTHING };
    const comments = await this.comments.last(running, COMMENTS_PER_BRIEF);
    const inTrees = rows.filter(({ parentId, children }) => parentId !== null || (children?.total ?? 0) > 0);
    const relatives = inTrees.length > 0 ? await this.files.listRelatives(inTrees.map(({ id }) => id)) : [];
    return { issues, comments, files: await this.files.listFiles(running), relatives };
  }
}

const ofIssue =
  (id: string) =>
  ({ issueId }: { issueId: string }) =>
    issueId === id;

function startOf(
  { issues, comments, files, relatives }: Sources,
  id: string,
): Omit<WorkItem, 'token' | 'expiresAt'> {
  const issue = issues.get(id)!;
  return {
    issueId: id,
    issue,
    state: 'start',
    reason: null,
    brief: briefOf(
      issue,
      comments.filter(ofIssue(id)),
      files.filter(ofIssue(id)),
      relatives.filter(ofIssue(id)),
    ),
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
