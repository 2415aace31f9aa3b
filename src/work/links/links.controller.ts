import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../platform/auth/policy.js';
import type { Principal } from '../../platform/auth/principal.js';
import { Idempotency } from '../../platform/http/idempotency/idempotency.js';
import { Idempotent } from '../../platform/http/idempotency/idempotent.decorator.js';
import { pageRequest, tellPage } from '../../platform/http/page.js';
import { PageQuery } from '../../platform/http/page.query.js';
import { Refuses } from '../../platform/http/refuses.decorator.js';
import { LinkResponse } from '../issues/dto/link.response.js';
import { IssueAccess } from '../issues/issue-access.js';
import { IssueLinks } from '../issues/issue-links.js';
import { CreateLinkRequest } from './dto/create-link.request.js';

/** The HTTP door to links; their rules and rows belong to the issues. */
@ApiTags('Links')
@Controller('api/projects')
export class LinksController {
  constructor(
    private readonly access: IssueAccess,
    private readonly links: IssueLinks,
    private readonly idempotency: Idempotency,
  ) {}

  /** Outgoing and incoming, told from this issue, oldest first. */
  @Get('issues/:issueId/links')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LinkResponse[]> {
    const issue = await this.access.get(caller, issueId, 'Viewer');
    const page = await this.links.list(issue, pageRequest(query));
    tellPage(request, response, page);
    return page.rows.map(LinkResponse.from);
  }

  /** BlockedBy an issue that is not finished makes this one wait; Blocks does the same to the other one. */
  @Post('issues/:issueId/links')
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @Idempotent()
  @Refuses(
    'invalid_transition',
    'cross_project_link',
    'link_exists',
    'link_limit',
    'dependency_cycle',
    'idempotency_key_in_use',
    'idempotency_key_reused',
  )
  async create(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Body() body: CreateLinkRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LinkResponse> {
    const issue = await this.access.get(caller, issueId, 'Editor');
    return this.idempotency.create(request, response, caller, async () => {
      const link = await this.links.create(caller, issue, body.targetIssueId, body.linkType);
      return { location: `/api/projects/links/${link.id}`, body: LinkResponse.from(link) };
    });
  }

  /** Removing the last blocker sets an issue that waits free. */
  @Delete('links/:linkId')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  async delete(@Caller() caller: Principal, @Param('linkId') linkId: string): Promise<void> {
    await this.links.delete(caller, linkId);
  }
}
