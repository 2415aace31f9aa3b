import { Body, Controller, Get, Param, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow, AllowInProject, Caller } from '../../platform/authentication/policy.js';
import type { Principal } from '../../platform/authentication/principal.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page.query.js';
import { MemberResponse, PeopleQuery, PersonResponse, SetMembersRequest } from './member.dto.js';
import { MembersService } from './members.service.js';

const BY_NAME = 'name';

@ApiTags('Projects')
@Controller('api/people')
export class PeopleController {
  constructor(private readonly members: MembersService) {}

  /** Returns the users whom issues can be assigned to, by name; with `projectId` those who see that project. */
  @Get()
  @Allow({ role: 'Viewer' })
  async list(
    @Caller() caller: Principal,
    @Query() query: PeopleQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PersonResponse[]> {
    const page = await this.members.listPeople(caller, query.projectId, pageRequest(query, BY_NAME));
    sendPageHeaders(request, response, page, BY_NAME);
    return page.rows.map(PersonResponse.from);
  }
}

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
