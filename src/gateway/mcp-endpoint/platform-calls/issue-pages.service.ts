import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { AttachmentsService } from '../../../work/attachments/attachments.service.js';
import { AttachmentResponse } from '../../../work/attachments/dto/attachment.response.js';
import { CommentsService } from '../../../work/comments/comments.service.js';
import type { IssueAnswerResponse } from '../../../work/gates/dto/issue-answer.response.js';
import { IssueResponse } from '../../../work/issues/dto/issue.response.js';
import { IssueAccessService } from '../../../work/issues/issue-access.service.js';
import { RESULT_CHARACTERS } from './fitting.js';
import { COMMENTS_AT_ONCE, issuePage, type PageStart } from './issue-page.js';

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
