import { Controller, Get, Injectable, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AllowInProject, Caller } from '../../platform/authentication/policy.js';
import type { Principal } from '../../platform/authentication/principal.js';
import type { Status } from '../issue-status/issue-status.js';
import { ProjectsService } from '../projects/projects.service.js';
import { IssueCountsResponse } from './issue-counts.response.js';

@Injectable()
export class IssueCountsRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** Counts the issues of a project by status, from an index alone. A status without issues is missing. */
  byStatus(projectId: string): Promise<{ status: Status; issues: number }[]> {
    return this.source.query(
      `SELECT status, count(*)::int AS issues FROM issues WHERE project_id = $1 GROUP BY status`,
      [projectId],
    );
  }

  /** Counts the issues of a project that wait for a decision or answer of a person. */
  async onPerson(projectId: string): Promise<number> {
    const [row] = await this.source.query<{ issues: number }[]>(
      `SELECT count(DISTINCT issue_id)::int AS issues FROM gates WHERE project_id = $1 AND holds`,
      [projectId],
    );
    return row!.issues;
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
