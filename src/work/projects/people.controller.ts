import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../../platform/authentication/policy.js';
import type { Principal } from '../../platform/authentication/principal.js';
import { pageRequest, sendPageHeaders } from '../../platform/http/page.js';
import { PeopleQuery, PersonResponse } from './person.dto.js';
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
