import { Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../platform/authentication/policy.js';
import { IdempotentAfterwards, Refuses } from '../../platform/http/route.decorators.js';
import { UpgradeServerQuery } from './installed-server.request.js';
import { UpgradedServerResponse } from './installed-server.response.js';
import { InstalledServersService } from './installed-servers.service.js';
import { UpgradeService } from './upgrade.service.js';

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
