import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { decodeCursor, encodeCursor, notACursor } from '../../platform/http/page-and-cursor.query.js';
import { AttachmentResponse } from '../../work/attachments/attachment.dto.js';
import { AttachmentsService } from '../../work/attachments/attachments.service.js';
import { CommentResponse } from '../../work/comments/comment.dto.js';
import type { CommentPlace, CommentRow } from '../../work/comments/comment.repository.js';
import { CommentsService } from '../../work/comments/comments.service.js';
import type { IssueAnswerResponse } from '../../work/gates/gate.response.js';
import { IssueResponse } from '../../work/issue-reading/issue.response.js';
import { IssueAccessService } from '../../work/issue-status/issue-access.service.js';

/** The most characters of a result that shows issues to an agent: clients cut or refuse longer ones (contract §7.4). */
export const RESULT_CHARACTERS = 40_000;

/** What a list takes beside its elements: its cursor. */
export const FRAME_CHARACTERS = 500;

/** Returns how many characters a value takes in the JSON of a result, with the comma after it. */
export function sizeOf(value: unknown): number {
  return JSON.stringify(value).length + 1;
}

/** Returns the longest beginning of a text whose JSON takes at most so many characters. It cuts no character in two. */
export function fittingText(text: string, room: number): string {
  if (sizeOf(text) <= room) return text;
  let [fits, tooLong] = [0, Math.max(1, Math.min(text.length, room))];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (sizeOf(wholeCharacters(text, middle)) <= room) fits = middle;
    else tooLong = middle;
  }
  return wholeCharacters(text, fits);
}

/** Returns as many of the first values as fit. */
export function fittingFirst<T>(values: readonly T[], room: number): T[] {
  let left = room;
  const end = values.findIndex((value) => (left -= sizeOf(value)) < 0);
  return values.slice(0, end === -1 ? values.length : end);
}

/** Returns as many of the last values as fit, in their order. */
export function fittingLast<T>(values: readonly T[], room: number): T[] {
  return fittingFirst(values.toReversed(), room).toReversed();
}

/** A half of a surrogate pair takes more JSON than the pair, so it is left out before a text is measured. */
function wholeCharacters(text: string, end: number): string {
  const cutsPair = end > 0 && end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1]!);
  return text.slice(0, cutsPair ? end - 1 : end);
}

/** Where the comments of a page begin: at one, and in it at a character. */
export interface CommentsFrom extends CommentPlace {
  offset: number;
}

const ORDER = 'newestFirst';

export function cursorAt({ createdAt, id }: { createdAt: Date; id: string }, offset: number): string {
  return encodeCursor([createdAt.toISOString(), id, offset], ORDER);
}

/** @throws {ValidationFailed} for a value that is not such a cursor */
export function commentsFrom(cursor: string): CommentsFrom {
  const [createdAt, id, offset, ...others] = decodeCursor(cursor, ORDER);
  if (!isTime(createdAt) || !isUuid(id) || typeof offset !== 'number' || others.length > 0)
    throw notACursor();
  return { createdAt, id: String(id), offset };
}

function isTime(value: unknown): value is string {
  return (
    typeof value === 'string' && !Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value
  );
}

/** A comment, or a part of a long one. */
type ShownComment = CommentResponse & { contentOffset?: number; isCut?: true };

/** What a page leaves out. The first three are the arguments with which platform__get_issue reads on. */
export interface Omitted {
  descriptionOffset?: number;
  commentsCursor?: string;
  linksOffset?: number;
  /** platform__list_attachments lists all files. */
  attachments?: true;
  /** The gates whose answers platform__gate_result reads. */
  answers?: string[];
}

/** All that was read of an issue. */
export interface WholeOfIssue {
  issue: IssueResponse;
  /** Newest first, from where the page begins. */
  comments: CommentRow[];
  attachments: AttachmentResponse[];
  answers?: IssueAnswerResponse[];
}

/** Where a page begins that continues an earlier one; it has only the parts that are named. */
export interface PageStart {
  descriptionOffset?: number;
  comments?: CommentsFrom;
  linksOffset?: number;
}

/** The most comments of a page. */
export const COMMENTS_AT_ONCE = 100;

/** The most characters of links, files and answers each on a first page; description and comments share the rest. */
const SIDE_CHARACTERS = 6_000;

/** What `more` and `nextCommentsCursor` can take, without answers. */
const MORE_CHARACTERS = 600;

/** A shorter beginning of a comment is not worth showing. */
const LEAST_OF_COMMENT = 200;

/**
 * Lays out an issue in a result of at most `RESULT_CHARACTERS`: `head` first, then the description, then the newest
 * comments, oldest first. `more` names what is left out.
 */
export function issuePage(head: object, whole: WholeOfIssue, start: PageStart = {}): object {
  return new IssuePage(whole, start).below(head);
}

class IssuePage {
  private readonly more: Omitted = {};
  private readonly continues: boolean;
  private room = RESULT_CHARACTERS - MORE_CHARACTERS;

  constructor(
    private readonly whole: WholeOfIssue,
    private readonly start: PageStart,
  ) {
    this.continues = Object.values(start).some((from) => from !== undefined);
  }

  below(head: object): object {
    const { description: _text, links: _links, ...summary } = this.whole.issue;
    const frame = {
      issue: { ...summary, description: '', links: [] },
      answers: [],
      nextCommentsCursor: null,
    };
    this.room -= sizeOf({ ...head, more: null, ...frame, comments: [], attachments: [] });
    const answers = this.answers();
    const links = this.shows('linksOffset') && this.links();
    const attachments = this.continues ? [] : this.attachments();
    const description = this.shows('descriptionOffset') && this.description();
    const comments = this.shows('comments') ? this.comments() : [];
    return {
      ...head,
      more: Object.keys(this.more).length > 0 ? this.more : null,
      issue: { ...summary, ...(description !== false && { description }), ...(links && { links }) },
      ...(this.whole.answers && { answers }),
      comments,
      nextCommentsCursor: this.more.commentsCursor ?? null,
      attachments,
    };
  }

  private shows(part: keyof PageStart): boolean {
    return !this.continues || this.start[part] !== undefined;
  }

  /** What is beside description and comments takes a fixed share of a first page. */
  private get sideRoom(): number {
    return this.continues ? this.room : SIDE_CHARACTERS;
  }

  private answers(): IssueAnswerResponse[] {
    const all = this.whole.answers ?? [];
    this.room -= sizeOf(all.map(({ gateId }) => gateId));
    const shown = fittingFirst(all, this.sideRoom);
    if (shown.length < all.length) this.more.answers = all.slice(shown.length).map(({ gateId }) => gateId);
    this.room -= sizeOf(shown);
    return shown;
  }

  private links(): IssueResponse['links'] {
    const from = this.start.linksOffset ?? 0;
    const shown = fittingFirst(this.whole.issue.links.slice(from), this.sideRoom);
    if (from + shown.length < this.whole.issue.links.length) this.more.linksOffset = from + shown.length;
    this.room -= sizeOf(shown);
    return shown;
  }

  private attachments(): AttachmentResponse[] {
    const shown = fittingLast(this.whole.attachments, this.sideRoom);
    if (shown.length < this.whole.attachments.length) this.more.attachments = true;
    this.room -= sizeOf(shown);
    return shown;
  }

  private description(): string {
    const from = this.start.descriptionOffset ?? 0;
    const { description } = this.whole.issue;
    const shown = fittingText(description.slice(from), this.room);
    if (from + shown.length < description.length) this.more.descriptionOffset = from + shown.length;
    this.room -= sizeOf(shown);
    return shown;
  }

  /** Shows whole comments, newest first, while they fit; only the newest of a page may be a part. */
  private comments(): ShownComment[] {
    const shown: ShownComment[] = [];
    for (const row of this.whole.comments) {
      const offset = row.id === this.start.comments?.id ? this.start.comments.offset : 0;
      const whole = partOf(row, offset);
      const fits = shown.length < COMMENTS_AT_ONCE && sizeOf(whole) <= this.room;
      const comment = fits ? whole : shown.length === 0 ? cutComment(whole, this.room) : null;
      if (comment) shown.push(comment);
      if (!fits) {
        this.more.commentsCursor = cursorAt(row, offset + (comment?.content.length ?? 0));
        break;
      }
      this.room -= sizeOf(whole);
    }
    return shown.toReversed();
  }
}

function partOf(row: CommentRow, offset: number): ShownComment {
  const comment = CommentResponse.from(row);
  return offset === 0
    ? comment
    : { ...comment, content: comment.content.slice(offset), contentOffset: offset };
}

function cutComment(comment: ShownComment, room: number): ShownComment | null {
  const rest = { ...comment, isCut: true as const };
  const left = room - sizeOf({ ...rest, content: '' });
  return left < LEAST_OF_COMMENT ? null : { ...rest, content: fittingText(comment.content, left) };
}

/** The newest files of an issue that come with it. `platform__list_attachments` lists all. */
const FILES_AT_ONCE = 100;

/** So many bytes of comments fill every result: a character has at most 3 per code unit. */
const COMMENT_BYTES = 3 * RESULT_CHARACTERS;

/** Reads an issue for tools in pages that a model can read. */
@Injectable()
export class IssuePagesService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly comments: CommentsService,
    private readonly attachments: AttachmentsService,
  ) {}

  /**
   * @param reference id or key of the issue
   * @param head what the result has after key and id
   * @throws {NotFound}
   */
  async of(
    agent: AgentPrincipal,
    reference: string,
    {
      head = {},
      answers,
      start = {},
    }: { head?: object; answers?: IssueAnswerResponse[]; start?: PageStart } = {},
  ): Promise<object> {
    const issue = await this.access.read(agent, reference);
    const comments = await this.comments.newestFrom(
      issue,
      start.comments ?? null,
      COMMENTS_AT_ONCE + 1,
      COMMENT_BYTES,
    );
    const attachments = (await this.attachments.newest(issue, FILES_AT_ONCE)).map(AttachmentResponse.from);
    const whole = { issue: IssueResponse.from(issue, agent), comments, attachments, answers };
    return issuePage({ key: issue.key, id: issue.id, ...head }, whole, start);
  }
}
