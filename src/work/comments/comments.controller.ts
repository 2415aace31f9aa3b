import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Idempotent, Refuses } from '../../platform/http/route.decorators.js';
import { PlainCreationResponsesService } from '../../platform/idempotency/creation-and-response-in-one-transaction.service.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { CommentResponse, WriteCommentRequest } from './comment.dto.js';
import { CommentsService } from './comments.service.js';

@ApiTags('Comments')
@Controller('api/projects')
export class CommentsController {
  constructor(
    private readonly access: IssueAccessService,
    private readonly comments: CommentsService,
    private readonly idempotency: PlainCreationResponsesService,
  ) {}

  /** Returns the comments on an issue, oldest first. */
  @Get('issues/:issueId/comments')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CommentResponse[]> {
    const issue = await this.access.get(caller, issueId, 'Viewer');
    const page = await this.comments.list(issue, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(CommentResponse.from);
  }

  /** Adds a comment. An agent that works on the issue gets it at its next turn. */
  @Post('issues/:issueId/comments')
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @Idempotent()
  @Refuses('author_type_mismatch', 'idempotency_key_in_use', 'idempotency_key_reused', 'quota_exceeded')
  async create(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Body() body: WriteCommentRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CommentResponse> {
    const issue = await this.access.get(caller, issueId, 'Editor');
    return this.idempotency.create(request, response, caller, async () => {
      const comment = await this.comments.add(caller, issue, body.content, body.authorType);
      return { location: `/api/projects/comments/${comment.id}`, body: CommentResponse.from(comment) };
    });
  }

  /** Changes a comment. Only its author or an Admin may; it stays the author's. */
  @Put('comments/:commentId')
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @Refuses('author_type_mismatch', 'quota_exceeded')
  async update(
    @Caller() caller: Principal,
    @Param('commentId') commentId: string,
    @Body() body: WriteCommentRequest,
  ): Promise<CommentResponse> {
    return CommentResponse.from(await this.comments.update(caller, commentId, body));
  }

  /** Deletes a comment. Only its author or an Admin may. */
  @Delete('comments/:commentId')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  async delete(@Caller() caller: Principal, @Param('commentId') commentId: string): Promise<void> {
    await this.comments.delete(caller, commentId);
  }
}
