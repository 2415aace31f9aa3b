import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { CommentsService } from '../../../work/comments/comments.service.js';
import { CommentResponse } from '../../../work/comments/dto/comment.response.js';
import { WriteCommentRequest } from '../../../work/comments/dto/write-comment.request.js';
import { LinkResponse } from '../../../work/issues/dto/link.response.js';
import { IssueAccess } from '../../../work/issues/issue-access.js';
import { IssueLinks } from '../../../work/issues/issue-links.js';
import { CreateLinkRequest } from '../../../work/links/dto/create-link.request.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { IssueArguments } from './arguments/issue-arguments.js';

type Given = Record<string, unknown>;

/** Commenting on issues and linking them, as tools. */
@Injectable()
export class IssueRemarks {
  constructor(
    private readonly access: IssueAccess,
    private readonly comments: CommentsService,
    private readonly links: IssueLinks,
  ) {}

  async comment(agent: AgentPrincipal, { issueId: named, ...body }: Given): Promise<object> {
    const { issueId } = await argumentsAs(IssueArguments, { issueId: named });
    const { content, authorType } = await argumentsAs(WriteCommentRequest, body);
    const issue = await this.access.get(agent, issueId, 'Editor');
    return { comment: CommentResponse.from(await this.comments.add(agent, issue, content, authorType)) };
  }

  async link(agent: AgentPrincipal, { issueId: named, ...body }: Given): Promise<object> {
    const { issueId } = await argumentsAs(IssueArguments, { issueId: named });
    const { targetIssueId, linkType } = await argumentsAs(CreateLinkRequest, body);
    const issue = await this.access.get(agent, issueId, 'Editor');
    return { link: LinkResponse.from(await this.links.create(agent, issue, targetIssueId, linkType)) };
  }
}
