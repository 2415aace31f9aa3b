import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AgentsService } from '../../agents/agents.service.js';
import { Allow, Caller } from '../../platform/authentication/policy.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { SetAccessRequest, SetAgentAccessRequest, SetServerAccessRequest } from './access.request.js';
import {
  AccessMatrixResponse,
  AgentAccessResponse,
  AgentToolResponse,
  ServerAccessResponse,
} from './access.response.js';
import { AccessMatrixRepository, AccessService } from './access.service.js';
import { ToolAccessService } from './tool-access.service.js';

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/access')
export class ServerAccessController {
  constructor(private readonly access: AccessService) {}

  /** Returns a row for every agent. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async list(@Param('id') id: string): Promise<ServerAccessResponse[]> {
    return (await this.access.ofServer(id)).map(ServerAccessResponse.from);
  }

  /** Merges: agents that the request does not name keep their access. All entries apply or none, at once. */
  @Put()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async set(@Param('id') id: string, @Body() body: SetServerAccessRequest): Promise<ServerAccessResponse[]> {
    const entries = body.entries.map(({ agentId, ...change }) => ({ ...change, id: agentId }));
    return (await this.access.setOfServer(id, entries)).map(ServerAccessResponse.from);
  }
}

@ApiTags('MCP servers')
@Controller('api/mcp/access')
export class AccessMatrixController {
  constructor(
    private readonly matrix: AccessMatrixRepository,
    private readonly access: AccessService,
  ) {}

  /** Returns every agent, every installed server, and which agent may use which server, as one consistent view. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  get(): Promise<AccessMatrixResponse> {
    return this.matrix.whole();
  }

  /** Merges several grants: pairs that the request does not name keep their access. All entries apply or none, at once. */
  @Put()
  @Allow({ role: 'Admin', bearerOnly: true })
  async set(@Body() body: SetAccessRequest): Promise<AccessMatrixResponse> {
    await this.access.setPairs(body.entries);
    return this.matrix.whole();
  }
}

@ApiTags('Agents')
@Controller('api/agents/:agentId/tools')
export class AgentToolsController {
  constructor(
    private readonly agents: AgentsService,
    private readonly access: ToolAccessService,
  ) {}

  /** Returns every tool of every installed server, and why the agent may or may not use it. */
  @Get()
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async list(@Caller() caller: Principal, @Param('agentId') agentId: string): Promise<AgentToolResponse[]> {
    const agent = await this.agents.get(caller, agentId);
    return (await this.access.explain(agent.id)).map(AgentToolResponse.from);
  }
}

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
