import { Body, Controller, Get, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowInProject, Caller } from '../../platform/authentication/policy.js';
import type { Principal } from '../../platform/authentication/principal.js';
import { pageRequest, sendPageHeaders } from '../../platform/http/page.js';
import { PageQuery } from '../../platform/http/page.query.js';
import { MemberResponse, SetMembersRequest } from './member.dto.js';
import { MembersService } from './members.service.js';

@ApiTags('Projects')
@Controller('api/projects/:projectId/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  /** Returns the members of a project, oldest first. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MemberResponse[]> {
    const page = await this.members.list(caller, projectId, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(MemberResponse.from);
  }

  /** Merges: members that are not named stay, a role of null removes. All entries apply or none. */
  @Put()
  @AllowInProject({ role: 'Admin', agents: 'refused' })
  async merge(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Body() body: SetMembersRequest,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MemberResponse[]> {
    const changes = body.entries.map(({ userId = null, agentId = null, role }) => ({
      userId,
      agentId,
      role,
    }));
    const page = await this.members.merge(caller, projectId, changes, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(MemberResponse.from);
  }
}
