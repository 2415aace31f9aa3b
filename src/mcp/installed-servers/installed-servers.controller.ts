import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Allow } from '../../platform/authentication/route-policies-and-agent-itself.js';
import { CarriesSecret, IdempotentAfterwards, Refuses } from '../../platform/http/route.decorators.js';
import { ServerLogsService } from '../running/server-logs.service.js';
import { InstallationService } from './installation.service.js';
import {
  InstalledServerResponse,
  InstallServerRequest,
  ServerLogResponse,
  UpdateServerRequest,
  UpgradedServerResponse,
  UpgradeServerQuery,
} from './installed-server.dto.js';
import {
  InstalledServersService,
  ServerRemovalService,
  ServerStatusService,
} from './installed-servers-status-removal.service.js';
import { UpgradeService } from './upgrade.service.js';
import { VerificationRecordResponse } from './verification.response.js';
import { VerificationService } from './verification.service.js';

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

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/upgrade')
export class UpgradeController {
  constructor(
    private readonly upgrades: UpgradeService,
    private readonly servers: InstalledServersService,
  ) {}

  /**
   * Fetches the catalogue's version, verifies it with the stored credentials beside the running one, and then replaces
   * the running one. Access and approvals stay; changed tools are withheld. A version that fails its verification is
   * not installed.
   */
  @Post()
  @IdempotentAfterwards()
  @HttpCode(200)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses(
    'not_found',
    'not_installable',
    'runtime_not_detected',
    'missing_variables',
    'credentials_revoked',
    'package_unavailable',
  )
  async upgrade(
    @Param('id') id: string,
    @Query() query: UpgradeServerQuery,
  ): Promise<UpgradedServerResponse> {
    const report = await this.upgrades.upgrade(id, query.dryRun);
    return UpgradedServerResponse.of(await this.servers.get(id), report);
  }
}

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id')
export class VerificationController {
  constructor(private readonly verifications: VerificationService) {}

  /**
   * Starts or reaches the server over a new connection, completes the handshake and lists its tools within 30 seconds.
   * A failed verification is reported with 200 too.
   */
  @Post('verify')
  @IdempotentAfterwards()
  @HttpCode(200)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async verify(@Param('id') id: string): Promise<VerificationRecordResponse> {
    return VerificationRecordResponse.of(await this.verifications.verify(id));
  }

  /** Returns the last 50 verifications of a server, newest first, without the names of its tools. */
  @Get('verifications')
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async list(@Param('id') id: string): Promise<VerificationRecordResponse[]> {
    return (await this.verifications.list(id)).map(VerificationRecordResponse.of);
  }
}

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/logs')
export class ServerLogsController {
  constructor(
    private readonly servers: InstalledServersService,
    private readonly logs: ServerLogsService,
  ) {}

  /**
   * The last stderr output of the server's processes and of its last verification, with secrets masked, from all
   * processes of the service.
   */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async get(@Param('id') id: string): Promise<ServerLogResponse> {
    const { row } = await this.servers.get(id);
    return ServerLogResponse.from(await this.logs.linesOf(row.id));
  }
}
