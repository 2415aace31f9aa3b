import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { CreateIssueRequest } from '../../../work/issues/dto/create-issue.request.js';
import { IssueResponse } from '../../../work/issues/dto/issue.response.js';
import { UpdateIssueRequest } from '../../../work/issues/dto/update-issue.request.js';
import { IssueCreationService } from '../../../work/issues/issue-creation.service.js';
import { IssueUpdateService } from '../../../work/issues/issue-update.service.js';
import { ProjectsService } from '../../../work/projects/projects.service.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { ChangeIssueArguments } from './arguments/issue-arguments.js';
import { ProjectArguments } from './arguments/project-arguments.js';

type Given = Record<string, unknown>;

/** The tools that create and change issues. */
@Injectable()
export class IssueWritingService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly creation: IssueCreationService,
    private readonly updates: IssueUpdateService,
  ) {}

  async create(agent: AgentPrincipal, { projectId: named, ...body }: Given): Promise<object> {
    const { projectId } = await argumentsAs(ProjectArguments, { projectId: named });
    const request = await argumentsAs(CreateIssueRequest, body);
    const project = await this.projects.get(agent, projectId, 'Editor');
    return { issue: IssueResponse.from(await this.creation.create(agent, project, request), agent) };
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
    const issue = await this.updates.update(agent, issueId, request, { leaseToken });
    return { issue: IssueResponse.from(issue, agent) };
  }
}
