import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller } from '../../../platform/auth/caller.decorator.js';
import { AllowInProject } from '../../../platform/auth/policy.js';
import type { Principal } from '../../../platform/auth/principal.js';
import { GraphQuery } from '../dto/graph.query.js';
import { GraphResponse } from '../dto/graph.response.js';
import { GraphService } from './graph.service.js';

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
