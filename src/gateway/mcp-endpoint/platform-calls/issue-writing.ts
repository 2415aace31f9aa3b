import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { CreateIssueRequest } from '../../../work/issues/dto/create-issue.request.js';
import { IssueResponse } from '../../../work/issues/dto/issue.response.js';
import { UpdateIssueRequest } from '../../../work/issues/dto/update-issue.request.js';
import { IssueCreation } from '../../../work/issues/issue-creation.js';
import { IssueUpdate } from '../../../work/issues/issue-update.js';
import { ProjectsService } from '../../../work/projects/projects.service.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { ChangeIssueArguments } from './arguments/issue-arguments.js';
import { ProjectArguments } from './arguments/project-arguments.js';

type Given = Record<string, unknown>;

/** Making and changing issues, as tools. */
@Injectable()
export class IssueWriting {
  constructor(
    private readonly projects: ProjectsService,
    private readonly creation: IssueCreation,
    private readonly updates: IssueUpdate,
  ) {}

  async create(agent: AgentPrincipal, { projectId: named, ...body }: Given): Promise<object> {
    const { projectId } = await argumentsAs(ProjectArguments, { projectId: named });
    const request = await argumentsAs(CreateIssueRequest, body);
    const project = await this.projects.get(agent, projectId, 'Editor');
    return { issue: IssueResponse.from(await this.creation.create(agent, project, request)) };
  }

  async update(
    agent: AgentPrincipal,
    { issueId: named, leaseToken: token, ...body }: Given,
  ): Promise<object> {
    const { issueId, leaseToken = null } = await argumentsAs(ChangeIssueArguments, {
      issueId: named,
      leaseToken: token,
    });
    const request = await argumentsAs(UpdateIssueRequest, body);
    return { issue: IssueResponse.from(await this.updates.update(agent, issueId, request, { leaseToken })) };
  }
}
