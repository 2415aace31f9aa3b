import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Idempotent, ReadsOwnBody, Refuses } from '../../platform/http/route.decorators.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { AnswersWithBytes, AttachmentDownloadService } from './attachment-download-and-reading.service.js';
import { AttachmentUploadService } from './attachment-upload.service.js';
import { AttachmentResponse, UploadQuery } from './attachment.dto.js';
import { AttachmentsService } from './attachments.service.js';
import { TakesOneFile } from './upload-form-and-storage.js';

@ApiTags('Attachments')
@Controller('api/projects')
export class AttachmentsController {
  constructor(
    private readonly access: IssueAccessService,
    private readonly attachments: AttachmentsService,
    private readonly uploads: AttachmentUploadService,
    private readonly downloads: AttachmentDownloadService,
  ) {}

  /** Returns the attachments of an issue, oldest first, without their bytes. */
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
    sendPageHeaders(request, response, page);
    return page.rows.map(AttachmentResponse.from);
  }

  /** Uploads one file in the field `file`. Slashes and invisible characters are stripped from its name. */
  @Post('issues/:issueId/attachments')
  @Idempotent()
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @ReadsOwnBody()
  @TakesOneFile()
  @Refuses('quota_exceeded')
  async upload(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Query() { replaces }: UploadQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AttachmentResponse> {
    return this.uploads.receive(caller, issueId, request, response, replaces);
  }

  /** Returns the bytes, or one range of them. */
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

  /** Deletes an attachment. An agent may delete only its own uploads. */
  @Delete('attachments/:attachmentId')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  async delete(@Caller() caller: Principal, @Param('attachmentId') attachmentId: string): Promise<void> {
    await this.attachments.delete(caller, attachmentId);
  }
}
