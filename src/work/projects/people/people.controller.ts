import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller } from '../../../platform/auth/caller.decorator.js';
import { Allow } from '../../../platform/auth/policy.js';
import type { Principal } from '../../../platform/auth/principal.js';
import { pageRequest, sendPageHeaders } from '../../../platform/http/pages/page.js';
import { ProjectsService } from '../projects.service.js';
import { PeopleQuery } from './dto/people.query.js';
import { PersonResponse } from './dto/person.response.js';
import { PeopleRepository } from './people.repository.js';

const BY_NAME = 'name';

@ApiTags('Projects')
@Controller('api/people')
export class PeopleController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly people: PeopleRepository,
  ) {}

  /** Returns the users whom issues can be assigned to, by name; with `projectId` those who see that project. */
  @Get()
  @Allow({ role: 'Viewer' })
  async list(
    @Caller() caller: Principal,
    @Query() query: PeopleQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PersonResponse[]> {
    const project = await this.projects.getFiltered(caller, query.projectId);
    const page = await this.people.list(project?.id ?? null, pageRequest(query, BY_NAME));
    sendPageHeaders(request, response, page, BY_NAME);
    return page.rows.map(PersonResponse.from);
  }
}
