import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  Allow,
  AllowInProject,
  Caller,
} from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Idempotent, Refuses } from '../../platform/http/route.decorators.js';
import { PlainCreationResponsesService } from '../../platform/idempotency/creation-and-response-in-one-transaction.service.js';
import {
  ConfirmQuery,
  CreateProjectRequest,
  MemberResponse,
  PeopleQuery,
  PersonResponse,
  ProjectResponse,
  SetMembersRequest,
  UpdateProjectRequest,
} from './project-and-member.dto.js';
import { MembersService } from './members.service.js';
import { ProjectsService } from './projects.service.js';

@ApiTags('Projects')
@Controller('api/projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly idempotency: PlainCreationResponsesService,
  ) {}

  /** Returns the projects that the caller sees, oldest first. */
  @Get()
  @Allow({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProjectResponse[]> {
    const page = await this.projects.list(caller, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(ProjectResponse.from);
  }

  /** Creates a project. */
  @Post()
  @Allow({ role: 'Editor' })
  @Idempotent()
  @Refuses('name_taken')
  async create(
    @Caller() caller: Principal,
    @Body() body: CreateProjectRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProjectResponse> {
    return this.idempotency.create(request, response, caller, async () => {
      const project = await this.projects.create(caller, body);
      return { location: `/api/projects/${project.id}`, body: ProjectResponse.from(project) };
    });
  }

  /** Returns one project. */
  @Get(':projectId')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async get(@Caller() caller: Principal, @Param('projectId') projectId: string): Promise<ProjectResponse> {
    return ProjectResponse.from(await this.projects.get(caller, projectId));
  }

  /** Changes a project; an absent field stays as it is. */
  @Put(':projectId')
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @Refuses('cross_project_link')
  async update(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Body() body: UpdateProjectRequest,
  ): Promise<ProjectResponse> {
    return ProjectResponse.from(await this.projects.update(caller, projectId, body));
  }

  /** Deletes an empty project; needs confirm=true. */
  @Delete(':projectId')
  @HttpCode(204)
  @AllowInProject({ role: 'Admin', agents: 'refused' })
  @Refuses('confirmation_required', 'not_empty')
  async delete(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() query: ConfirmQuery,
  ): Promise<void> {
    await this.projects.delete(caller, projectId, query.confirm);
  }
}

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
