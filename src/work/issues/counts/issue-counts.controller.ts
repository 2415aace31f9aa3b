import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../../platform/auth/policy.js';
import type { Principal } from '../../../platform/auth/principal.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { IssueCountsResponse } from '../dto/issue-counts.response.js';
import { IssueCountsRepository } from './issue-counts.repository.js';

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
