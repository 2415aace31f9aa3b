import { Body, Controller, Delete, Get, Headers, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { AgentsService } from '../../agents/agents.service.js';
import { Allow, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { etagOf, TakesIfMatch } from '../../platform/http/if-match-and-lease-token.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { SetAccessRequest, SetAgentAccessRequest, SetServerAccessRequest } from './access.request.js';
import {
  AccessMatrixResponse,
  AgentAccessResponse,
  AgentToolResponse,
  ServerAccessResponse,
} from './access.response.js';
import { AccessMatrixRepository, AccessService } from './access.service.js';
import { ChangeProfileRequest, CreateProfileRequest, entryOf, ProfileResponse } from './profile.dto.js';
import { type ProfileRow, ProfilesService } from './profiles.service.js';
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
    return AgentToolResponse.all(await this.access.explain(agent.id));
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

@ApiTags('MCP servers')
@Controller('api/mcp/profiles')
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  /** All profiles, by name. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  async list(): Promise<ProfileResponse[]> {
    return (await this.profiles.list()).map(ProfileResponse.from);
  }

  /** Gives several agents access to several servers, beside their grants. */
  @Post()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('name_taken')
  async create(
    @Body() { name, entries, agentIds }: CreateProfileRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProfileResponse> {
    const profile = await this.profiles.create({ name, entries: entries?.map(entryOf), agentIds });
    response.location(`/api/mcp/profiles/${profile.id}`);
    return answered(response, profile);
  }

  /** One profile. */
  @Get(':profileId')
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async get(
    @Param('profileId') id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProfileResponse> {
    return answered(response, await this.profiles.get(id));
  }

  /** Replaces what the request names: the name, all entries, all agents. Takes effect at once. */
  @Put(':profileId')
  @Allow({ role: 'Admin', bearerOnly: true })
  @TakesIfMatch()
  @Refuses('not_found', 'name_taken')
  async change(
    @Param('profileId') id: string,
    @Body() { name, entries, agentIds }: ChangeProfileRequest,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ProfileResponse> {
    const change = { name, entries: entries?.map(entryOf), agentIds };
    return answered(response, await this.profiles.change(id, change, ifMatch));
  }

  /** Removes the profile; its agents keep their grants. */
  @Delete(':profileId')
  @HttpCode(204)
  @Allow({ role: 'Admin', bearerOnly: true })
  @TakesIfMatch()
  @Refuses('not_found')
  async delete(
    @Param('profileId') id: string,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<void> {
    await this.profiles.remove(id, ifMatch);
  }
}

function answered(response: Response, profile: ProfileRow): ProfileResponse {
  response.setHeader('ETag', etagOf(profile.version));
  return ProfileResponse.from(profile);
}
