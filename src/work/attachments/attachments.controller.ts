import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../platform/auth/policy.js';
import type { Principal } from '../../platform/auth/principal.js';
import { pageRequest, tellPage } from '../../platform/http/page.js';
import { PageQuery } from '../../platform/http/page.query.js';
import { ReadsOwnBody } from '../../platform/http/reads-own-body.decorator.js';
import { IssueAccess } from '../issues/issue-access.js';
import { AttachmentsService } from './attachments.service.js';
import { AnswersWithBytes } from './download/answers-with-bytes.decorator.js';
import { AttachmentDownload } from './download/attachment-download.js';
import { AttachmentResponse } from './dto/attachment.response.js';
import { AttachmentUpload } from './upload/attachment-upload.js';
import { TakesOneFile } from './upload/takes-one-file.decorator.js';

@ApiTags('Attachments')
@Controller('api/projects')
export class AttachmentsController {
  constructor(
    private readonly access: IssueAccess,
    private readonly attachments: AttachmentsService,
    private readonly uploads: AttachmentUpload,
    private readonly downloads: AttachmentDownload,
  ) {}

  /** What is known of the files on an issue, oldest first, without their bytes. */
  @Get('issues/:issueId/attachments')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AttachmentResponse[]> {
    const issue = await this.access.get(caller, issueId, 'Viewer');
    const page = await this.attachments.list(issue, pageRequest(query));
    tellPage(request, response, page);
    return page.rows.map(AttachmentResponse.from);
  }

  /** One file in the field `file`; its name is kept but for slashes and characters that nobody sees. */
  @Post('issues/:issueId/attachments')
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @ReadsOwnBody()
  @TakesOneFile()
  async upload(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AttachmentResponse> {
    const attachment = AttachmentResponse.from(
      await this.uploads.receive(caller, issueId, request, response),
    );
    response.location(attachment.downloadUrl);
    return attachment;
  }

  /** The bytes, or one range of them. */
  @Get('attachments/:attachmentId/download')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  @AnswersWithBytes()
  async download(
    @Caller() caller: Principal,
    @Param('attachmentId') attachmentId: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.downloads.send(caller, attachmentId, request, response);
  }

  /** For the uploader, or an Admin. */
  @Delete('attachments/:attachmentId')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  async delete(@Caller() caller: Principal, @Param('attachmentId') attachmentId: string): Promise<void> {
    await this.attachments.delete(caller, attachmentId);
  }
}
