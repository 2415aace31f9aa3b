import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Idempotent, Refuses } from '../../platform/http/route.decorators.js';
import { PlainCreationResponsesService } from '../../platform/idempotency/creation-and-response-in-one-transaction.service.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { CreateLinkRequest, LinkResponse } from './link.dto.js';
import { IssueLinksService } from './links.service.js';

/** The HTTP endpoints of links. Their rules and storage belong to the issues. */
@ApiTags('Links')
@Controller('api/projects')
export class LinksController {
  constructor(
    private readonly access: IssueAccessService,
    private readonly links: IssueLinksService,
    private readonly idempotency: PlainCreationResponsesService,
  ) {}

  /** Returns the links of an issue as seen from it, outgoing and incoming, oldest first. */
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
    sendPageHeaders(request, response, page);
    return page.rows.map(LinkResponse.from);
  }

  /** Creates a link. BlockedBy an unresolved issue makes this issue wait; Blocks makes the other one wait. */
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

  /** Deletes a link. Deleting its last blocker unblocks an issue that waits. */
  @Delete('links/:linkId')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  async delete(@Caller() caller: Principal, @Param('linkId') linkId: string): Promise<void> {
    await this.links.delete(caller, linkId);
  }
}
