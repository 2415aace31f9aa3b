import { Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  Allow,
  AllowInProject,
  Caller,
} from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { pageRequest, sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { ProjectsService } from '../projects/projects.service.js';
import { AgentWorkService } from './issue-lists-and-agent-work.service.js';
import { GraphQuery, GraphResponse } from './graph.dto.js';
import { GraphService } from './graph.service.js';
import { IssueCountsRepository } from './issue-groups-and-counts.repository.js';
import {
  ActivityResponse,
  AgentWorkQuery,
  AgentWorkResponse,
  ExplainResponse,
  IssueCountsResponse,
  IssueGroupsResponse,
  ProjectCountsResponse,
} from './issue-reading.dto.js';
import { filterOf, IssueGroupsQuery, ListActivityQuery } from './list-issues-and-activity.query.js';
import { TimelineRepository } from './timeline.repository.js';
import { ExplainService } from './explain-and-why.service.js';

@ApiTags('Agents')
@Controller('api/agents/:agentId/work')
export class AgentWorkController {
  constructor(private readonly work: AgentWorkService) {}

  /** Returns what an agent works on, and its other unfinished issues in order, each with why it is not started yet. */
  @Get()
  @Allow({ role: 'Viewer', agents: 'self' })
  @Refuses('not_found')
  get(
    @Caller() caller: Principal,
    @Param('agentId') agentId: string,
    @Query() { limit }: AgentWorkQuery,
  ): Promise<AgentWorkResponse> {
    return this.work.of(caller, agentId, limit);
  }
}

@ApiTags('Issues')
@Controller('api/projects/issues/:issueId/explain')
export class ExplainController {
  constructor(private readonly explain: ExplainService) {}

  /** Explains why no agent works on an issue, who must act, and what happens next. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async get(@Caller() caller: Principal, @Param('issueId') issueId: string): Promise<ExplainResponse> {
    return ExplainResponse.from(await this.explain.facts(caller, issueId));
  }
}

@ApiTags('Issues')
@Controller('api/projects/:projectId/graph')
export class GraphController {
  constructor(private readonly graph: GraphService) {}

  /**
   * Returns a part of the graph of what blocks what: around a focus, or the unfinished issues that most others wait for.
   */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async get(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() query: GraphQuery,
  ): Promise<GraphResponse> {
    return GraphResponse.from(await this.graph.of(caller, projectId, query), caller);
  }
}

@ApiTags('Issues')
@Controller('api/projects/:projectId/counts')
export class IssueCountsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly counts: IssueCountsRepository,
  ) {}

  /** Returns how many issues the project has in each status, and what the waiting ones wait for. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async get(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
  ): Promise<IssueCountsResponse> {
    const project = await this.projects.get(caller, projectId);
    const onPerson = await this.counts.onPerson(project.id);
    return IssueCountsResponse.from(await this.counts.byStatus(project.id), onPerson);
  }
}

@ApiTags('Issues')
@Controller('api/projects/counts')
export class ProjectCountsController {
  constructor(private readonly counts: IssueCountsRepository) {}

  /** Returns how many unfinished issues each project has that the caller sees, oldest project first. */
  @Get()
  @Allow({ role: 'Viewer', agents: 'allowed' })
  async list(@Caller() caller: Principal): Promise<ProjectCountsResponse[]> {
    return (await this.counts.ofProjects(caller)).map(ProjectCountsResponse.from);
  }
}

@ApiTags('Issues')
@Controller('api/projects/:projectId/issues/groups')
export class IssueGroupsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly counts: IssueCountsRepository,
  ) {}

  /** Returns how many issues of the project match the filters, by status, agent, goal, blocker or root of what they wait for. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('projectId') projectId: string,
    @Query() query: IssueGroupsQuery,
  ): Promise<IssueGroupsResponse> {
    const project = await this.projects.get(caller, projectId);
    const filter = filterOf(caller, { ...query, projectId: project.id });
    const isByStatus = query.by === 'status' && query.q === undefined;
    return IssueGroupsResponse.from(
      isByStatus
        ? await this.counts.inEachStatus(filter)
        : await this.counts.byGroup(caller, filter, query.by),
    );
  }
}

/** The order of the journal, by the name of the order that a caller asks for; other lists are ordered by creation. */
const BY_POSITION = { createdAt: 'position', '-createdAt': '-position' } as const;
@ApiTags('Issues')
@Controller('api/projects/issues/:issueId/activity')
export class TimelineController {
  constructor(
    private readonly access: IssueAccessService,
    private readonly timeline: TimelineRepository,
  ) {}

  /** Returns the timeline of an issue, oldest first unless `sort` says otherwise. */
  @Get()
  @AllowInProject({ role: 'Viewer', agents: 'allowed' })
  async list(
    @Caller() caller: Principal,
    @Param('issueId') issueId: string,
    @Query() query: ListActivityQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ActivityResponse[]> {
    const issue = await this.access.get(caller, issueId, 'Viewer');
    const order = BY_POSITION[query.sort];
    const page = await this.timeline.list(caller, issue, pageRequest(query, order), {
      types: query.type,
      from: query.from,
      to: query.to,
      newestFirst: query.sort === '-createdAt',
      withoutTexts: query.fields === 'summary',
    });
    sendPageHeaders(request, response, page, order);
    return page.rows.map(ActivityResponse.from);
  }
}
