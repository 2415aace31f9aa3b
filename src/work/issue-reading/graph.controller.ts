import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AllowInProject, Caller } from '../../platform/authentication/policy.js';
import type { Principal } from '../../platform/authentication/principal.js';
import { GraphQuery, GraphResponse } from './graph.dto.js';
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
