import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { CatalogEntryDetailResponse } from '../catalog/catalog.dto.js';
import {
  HostRuntimes,
  installable,
  runtimeWarning,
} from '../catalog/installability-and-runtime-detection.js';
import { ImportedPackageResponse, ImportPackageQuery, ImportPackageRequest } from './package-import.dto.js';
import { PackageImportsService } from './package-imports.service.js';

@ApiTags('MCP servers')
@Controller('api/mcp/catalog/imports')
export class PackageImportsController {
  constructor(
    private readonly imports: PackageImportsService,
    private readonly runtimes: HostRuntimes,
    private readonly settings: Settings,
  ) {}

  /**
   * Makes an entry of a package of npm by its name, in the first folder of CATALOG_DIRS. Its README says which variables and
   * arguments it has. With `dryRun` the entry is only shown, so that a person reviews it before it is stored.
   */
  @Post()
  @HttpCode(200)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_importable', 'package_unavailable', 'validation_failed')
  async create(
    @Body() body: ImportPackageRequest,
    @Query() { dryRun }: ImportPackageQuery,
    @Caller() caller: Principal,
  ): Promise<ImportedPackageResponse> {
    const made = await (dryRun ? this.imports.look(body, caller) : this.imports.store(body, caller));
    const report = await this.runtimes.report();
    const warning = runtimeWarning(
      { ...made.entry, verified: false, runtimeVersion: made.nodeRange },
      report,
    );
    const entry = CatalogEntryDetailResponse.of(made.entry, installable(made.entry, report, this.settings));
    return { dryRun, entry, notes: [...made.notes, ...(warning === null ? [] : [warning])] };
  }
}
