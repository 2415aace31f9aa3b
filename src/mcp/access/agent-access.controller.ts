import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../platform/auth/policy.js';
import { Refuses } from '../../platform/http/problem/refuses.decorator.js';
import { AccessService } from './access.service.js';
import { AgentAccessResponse } from './dto/access.response.js';
import { SetAgentAccessRequest } from './dto/set-access.request.js';

@ApiTags('Agents')
@Controller('api/agents/:agentId/access')
export class AgentAccessController {
  constructor(private readonly access: AccessService) {}

  /** Returns a row for every installed server. */
  @Get()
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async list(@Param('agentId') agentId: string): Promise<AgentAccessResponse[]> {
    return (await this.access.ofAgent(agentId)).map(AgentAccessResponse.from);
  }

  /** Merges: servers that the request does not name keep their access. All entries apply or none, at once. */
  @Put()
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async set(
    @Param('agentId') agentId: string,
    @Body() body: SetAgentAccessRequest,
  ): Promise<AgentAccessResponse[]> {
    const entries = body.entries.map(({ serverId, ...change }) => ({ ...change, id: serverId }));
    return (await this.access.setOfAgent(agentId, entries)).map(AgentAccessResponse.from);
  }
}
