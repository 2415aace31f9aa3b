import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../platform/auth/policy.js';
import { NotFound } from '../../platform/http/problem.js';
import { Refuses } from '../../platform/http/refuses.decorator.js';
import { CatalogService } from './catalog.service.js';
import { CatalogEntryDetailResponse } from './dto/catalog-entry-detail.response.js';
import { CatalogEntryResponse } from './dto/catalog-entry.response.js';
import { CatalogReloadResponse } from './dto/catalog-reload.response.js';
import { ListCatalogQuery } from './dto/list-catalog.query.js';
import { HostRuntimes } from './host-runtimes.js';
import { installable } from './installability.js';

@ApiTags('MCP servers')
@Controller('api/mcp/catalog')
export class CatalogController {
  constructor(
    private readonly catalog: CatalogService,
    private readonly runtimes: HostRuntimes,
  ) {}

  /** The servers that can be installed, by id. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  async list(@Query() query: ListCatalogQuery): Promise<CatalogEntryResponse[]> {
    const report = await this.runtimes.report();
    return this.catalog
      .list(query)
      .map((entry) => CatalogEntryResponse.from(entry, installable(entry, report)));
  }

  /** One entry with its manifest and the variables it takes. */
  @Get(':id')
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async get(@Param('id') id: string): Promise<CatalogEntryDetailResponse> {
    const entry = this.catalog.get(id);
    if (!entry) throw new NotFound();
    return CatalogEntryDetailResponse.of(entry, installable(entry, await this.runtimes.report()));
  }

  /** Reads the entries anew, those of CATALOG_DIRS too; with a fault in any the old ones stay. */
  @Post('reload')
  @HttpCode(200)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('validation_failed')
  async reload(): Promise<CatalogReloadResponse> {
    await this.catalog.reload();
    return CatalogReloadResponse.from(this.catalog.list().length);
  }
}
