import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  Allow,
  AllowInProject,
  Caller,
} from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import {
  type ChangeConditions,
  Conditions,
  etagOf,
  TakesConditions,
} from '../../platform/http/if-match-and-lease-token.js';
import { Idempotent, Refuses } from '../../platform/http/route.decorators.js';
import { PlainCreationResponsesService } from '../../platform/idempotency/creation-and-response-in-one-transaction.service.js';
import { IssueListsService } from '../issue-reading/issue-lists-and-agent-work.service.js';
import { IssueResponse, ListedIssueResponse } from '../issue-reading/issue.response.js';
import { ListChildrenQuery, ListIssuesQuery } from '../issue-reading/list-issues-and-activity.query.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { ConfirmQuery } from '../projects/project-and-member.dto.js';
import { ProjectsService } from '../projects/projects.service.js';
import { IssueCreationService } from './issue-creation.service.js';
import { IssueDeletionService, IssuesService } from './issue-pausing-closing-deletion.service.js';
import { IssueUpdateService } from './issue-update-version-and-event.service.js';
import { CloseIssueQuery, CreateIssueRequest, UpdateIssueRequest } from './issue.request.js';

@ApiTags('Issues')
@Controller('api/projects/:projectId/issues')
export class IssuesOfProjectController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly lists: IssueListsService,
    private readonly creation: IssueCreationService,
    private readonly idempotency: PlainCreationResponsesService,
  ) {}

  /** Returns the issues of a project. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() query: ListIssuesQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ListedIssueResponse[]> {
    const project = await this.projects.get(caller, projectId);
    return this.lists.answer(caller, { ...query, projectId: project.id }, request, response);
  }

  /** Creates an issue: Open, or WaitingOnDependency when `blockedByIssueId` names an unresolved issue. */
  @Post()
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @Idempotent()
  @Refuses(
    'assignment_refused',
    'invalid_transition',
    'cross_project_link',
    'link_limit',
    'child_limit',
    'depth_limit',
    'dependency_cycle',
    'idempotency_key_in_use',
    'idempotency_key_reused',
  )
  async create(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Body() body: CreateIssueRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse> {
    const project = await this.projects.get(caller, projectId, 'Editor');
    return this.idempotency.create(request, response, caller, async () => {
      const issue = await this.creation.create(caller, project, body);
      return {
        location: `/api/projects/issues/${issue.id}`,
        etag: etagOf(issue.version),
        body: IssueResponse.from(issue, caller),
      };
    });
  }
}

@ApiTags('Issues')
@Controller('api/projects/issues')
export class IssuesController {
  constructor(
    private readonly access: IssueAccessService,
    private readonly issues: IssuesService,
    private readonly lists: IssueListsService,
    private readonly updates: IssueUpdateService,
    private readonly deletion: IssueDeletionService,
  ) {}

  /** Returns the issues of all projects that the caller sees. */
  @Get()
  @Allow({ role: 'Viewer', agents: 'allowed' })
  listAll(
    @Caller() caller: Principal,
    @Query() query: ListIssuesQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ListedIssueResponse[]> {
    return this.lists.answer(caller, query, request, response);
  }

  /** Returns one issue with its links. */
  @Get(':issueId')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async get(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse> {
    const issue = await this.issues.get(caller, issueId);
    // Express would send 304 on its own, but the response also shows leases and other issues (contract §1).
    delete request.headers['if-none-match'];
    response.setHeader('ETag', etagOf(issue.version));
    return IssueResponse.from(issue, caller);
  }

  /** Returns the sub-issues of an issue, oldest first unless `sort` says otherwise. */
  @Get(':issueId/children')
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async children(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Query() query: ListChildrenQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ListedIssueResponse[]> {
    const { id, projectId } = await this.access.get(caller, issueId, 'Viewer');
    return this.lists.answer(caller, { ...query, projectId, parentId: [id] }, request, response);
  }

  /** Changes an issue. An absent field stays as it is, `null` clears it. The status `Resolved` marks the issue resolved. */
  @Put(':issueId')
  @AllowInProject({ role: 'Editor', agents: 'allowed' })
  @TakesConditions(true)
  @Refuses(
    'version_mismatch',
    'not_yours',
    'lease_token_required',
    'lease_lost',
    'invalid_transition',
    'open_dependents',
    'open_children',
    'cross_project_link',
    'link_exists',
    'child_limit',
    'depth_limit',
    'dependency_cycle',
  )
  async update(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Body() body: UpdateIssueRequest,
    @Conditions() conditions: ChangeConditions,
    @Res({ passthrough: true }) response: Response,
  ): Promise<IssueResponse> {
    const issue = await this.updates.update(caller, issueId, body, conditions);
    response.setHeader('ETag', etagOf(issue.version));
    return IssueResponse.from(issue, caller);
  }

  /** Closes an issue. Rejected while it blocks unresolved issues or issues below it are unresolved, unless `force=true`. */
  @Post(':issueId/close')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @TakesConditions()
  @Refuses('version_mismatch', 'open_dependents', 'open_children')
  async close(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Query() query: CloseIssueQuery,
    @Conditions() { ifMatch }: ChangeConditions,
  ): Promise<void> {
    await this.issues.close(caller, issueId, query.force, ifMatch);
  }

  /** Pauses an issue. Its agent stops at its next turn; no agent gets the issue until it is resumed. */
  @Post(':issueId/pause')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @TakesConditions()
  @Refuses('version_mismatch', 'invalid_transition')
  async pause(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Conditions() { ifMatch }: ChangeConditions,
  ): Promise<void> {
    await this.issues.pause(caller, issueId, ifMatch);
  }

  /** Resumes a paused issue. Its agent picks it up on its next heartbeat. */
  @Post(':issueId/resume')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @TakesConditions()
  @Refuses('version_mismatch', 'invalid_transition')
  async resume(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Conditions() { ifMatch }: ChangeConditions,
  ): Promise<void> {
    await this.issues.resume(caller, issueId, ifMatch);
  }

  /** Deletes an issue with its comments, links and attachments, and unblocks what it blocked. Its sub-issues stay. Needs confirm=true. */
  @Delete(':issueId')
  @HttpCode(204)
  @AllowInProject({ role: 'Editor', agents: 'refused' })
  @TakesConditions()
  @Refuses('version_mismatch', 'confirmation_required')
  async delete(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Query() query: ConfirmQuery,
    @Conditions() { ifMatch }: ChangeConditions,
  ): Promise<void> {
    await this.deletion.delete(caller, issueId, query.confirm, ifMatch);
  }
}
