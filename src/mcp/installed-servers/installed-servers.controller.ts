import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Allow } from '../../platform/authentication/policy.js';
import { CarriesSecret, IdempotentAfterwards, Refuses } from '../../platform/http/route.decorators.js';
import { InstallationService } from './installation.service.js';
import { InstallServerRequest, UpdateServerRequest } from './installed-server.request.js';
import { InstalledServerResponse } from './installed-server.response.js';
import {
  InstalledServersService,
  ServerRemovalService,
  ServerStatusService,
} from './installed-servers.service.js';

@ApiTags('MCP servers')
@Controller('api/mcp/installed')
export class InstalledServersController {
  constructor(
    private readonly servers: InstalledServersService,
    private readonly installation: InstallationService,
    private readonly status: ServerStatusService,
    private readonly removal: ServerRemovalService,
  ) {}

  /** All installed servers, oldest first. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  async list(): Promise<InstalledServerResponse[]> {
    return (await this.servers.list()).map(InstalledServerResponse.from);
  }

  /**
   * Fetches the entry's pinned package and stores the server, enabled and granted to no agent. Takes up to 120
   * seconds.
   */
  @Post()
  @IdempotentAfterwards()
  @Allow({ role: 'Admin', bearerOnly: true })
  @CarriesSecret()
  @Refuses('name_taken', 'not_installable', 'runtime_not_detected', 'package_unavailable')
  async install(
    @Body() body: InstallServerRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<InstalledServerResponse> {
    const id = await this.installation.install(body);
    response.location(`/api/mcp/installed/${id}`);
    return InstalledServerResponse.from(await this.servers.get(id));
  }

  /** One installed server. */
  @Get(':id')
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async get(@Param('id') id: string): Promise<InstalledServerResponse> {
    return InstalledServerResponse.from(await this.servers.get(id));
  }

  /** Changes name and values. Live connections finish their calls; new calls use the new values. */
  @Put(':id')
  @IdempotentAfterwards()
  @Allow({ role: 'Admin', bearerOnly: true })
  @CarriesSecret()
  @Refuses('not_found', 'name_taken')
  async update(@Param('id') id: string, @Body() body: UpdateServerRequest): Promise<InstalledServerResponse> {
    return InstalledServerResponse.from(await this.servers.update(id, body));
  }

  /** Lets the agents that have a grant use the server; also ends the status `error`. */
  @Post(':id/enable')
  @IdempotentAfterwards()
  @HttpCode(204)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async enable(@Param('id') id: string): Promise<void> {
    await this.status.enable(id);
  }

  /** Ends the server's processes; agents' calls fail and say that it is disabled. */
  @Post(':id/disable')
  @IdempotentAfterwards()
  @HttpCode(204)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async disable(@Param('id') id: string): Promise<void> {
    await this.status.disable(id);
  }

  /** Ends the server's processes and removes its credentials, its grants and its package. */
  @Delete(':id')
  @IdempotentAfterwards()
  @HttpCode(204)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async delete(@Param('id') id: string): Promise<void> {
    await this.removal.remove(id);
  }
}
