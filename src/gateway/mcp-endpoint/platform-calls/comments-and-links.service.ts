import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { CommentsService } from '../../../work/comments/comments.service.js';
import { CommentResponse } from '../../../work/comments/dto/comment.response.js';
import { WriteCommentRequest } from '../../../work/comments/dto/write-comment.request.js';
import { LinkResponse } from '../../../work/issues/dto/link.response.js';
import { IssueAccessService } from '../../../work/issues/issue-access.service.js';
import { IssueLinksService } from '../../../work/issues/links/issue-links.service.js';
import { CreateLinkRequest } from '../../../work/issues/dto/create-link.request.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { IssueArguments, LinkArguments } from './arguments/issue-arguments.js';

type Given = Record<string, unknown>;

/** The tools that comment on issues and link them. */
@Injectable()
export class CommentsAndLinksService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly comments: CommentsService,
    private readonly links: IssueLinksService,
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

  async unlink(agent: AgentPrincipal, given: Given): Promise<object> {
    const { issueId, linkId } = await argumentsAs(LinkArguments, given);
    await this.links.delete(agent, linkId, await this.access.get(agent, issueId, 'Editor'));
    return { linkId };
  }
}
