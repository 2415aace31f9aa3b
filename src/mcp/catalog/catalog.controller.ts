import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Allow, Public } from '../../platform/authentication/route-policies-and-agent-itself.js';
import { Settings } from '../../platform/config/settings.js';
import { NotFound } from '../../platform/http/problem.js';
import { Refuses, RefusesIdempotencyKey } from '../../platform/http/route.decorators.js';
import {
  CatalogEntryDetailResponse,
  CatalogEntryResponse,
  CatalogReloadResponse,
  CheckEntryRequest,
  EntryCheckResponse,
  ListCatalogQuery,
} from './catalog.dto.js';
import { ListServersQuery, PublishedListResponse, PublishedServerResponse } from './published-server.dto.js';
import { CatalogService } from './catalog.service.js';
import { HostRuntimes, installable } from './installability-and-runtime-detection.js';
import { SCHEMA } from './catalog-files.js';
import { PublishedServersService } from './published-servers.service.js';

@ApiTags('MCP servers')
@Controller('api/mcp/catalog')
export class CatalogController {
  constructor(
    private readonly catalog: CatalogService,
    private readonly runtimes: HostRuntimes,
    private readonly settings: Settings,
  ) {}

  /** Returns the servers of the catalogue, by id. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  async list(@Query() query: ListCatalogQuery): Promise<CatalogEntryResponse[]> {
    const report = await this.runtimes.report();
    return this.catalog
      .list(query)
      .map((entry) => ({ entry, state: installable(entry, report, this.settings) }))
      .filter(({ state }) => query.installable === undefined || query.installable === state.installable)
      .map(({ entry, state }) => CatalogEntryResponse.from(entry, state));
  }

  /** Returns the JSON Schema of an entry's file. */
  @Get('schema')
  @Allow({ role: 'Admin', bearerOnly: true })
  @ApiOkResponse({ schema: { type: 'object', additionalProperties: true } })
  schema(): Record<string, unknown> {
    return SCHEMA;
  }

  /** Returns one entry with its manifest and its variables. */
  @Get(':id')
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async get(@Param('id') id: string): Promise<CatalogEntryDetailResponse> {
    const entry = this.catalog.get(id);
    if (!entry) throw new NotFound();
    const state = installable(entry, await this.runtimes.report(), this.settings);
    return CatalogEntryDetailResponse.of(entry, state);
  }

  /** Reads all entries again, including those of CATALOG_DIRS. If any entry is invalid, the old entries stay. */
  @Post('reload')
  @RefusesIdempotencyKey()
  @HttpCode(200)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('validation_failed')
  async reload(): Promise<CatalogReloadResponse> {
    await this.catalog.reload();
    return CatalogReloadResponse.from(this.catalog.list().length);
  }

  /** Returns every error that an entry of CATALOG_DIRS would have. Nothing is stored or installed. */
  @Post('check')
  @RefusesIdempotencyKey()
  @HttpCode(200)
  @Allow({ role: 'Admin', bearerOnly: true })
  check(@Body() { entry }: CheckEntryRequest): EntryCheckResponse {
    return EntryCheckResponse.from(this.catalog.check(entry));
  }
}

/** The read part of the API of a registry of MCP servers, v0.1. Its clients send no credentials. */
@ApiTags('MCP servers')
@Controller('v0.1/servers')
export class PublishedServersController {
  constructor(private readonly published: PublishedServersService) {}

  /** Returns the catalogue in the form of a registry of MCP servers, where PUBLISH_REGISTRY is on. */
  @Get()
  @Public()
  @Refuses('not_found')
  list(@Query() query: ListServersQuery): PublishedListResponse {
    const { versions, nextCursor } = this.published.page(query);
    return PublishedListResponse.from(versions, nextCursor);
  }

  /** Returns every version of a published server, the newest first. */
  @Get(':serverName/versions')
  @Public()
  @Refuses('not_found')
  versions(@Param('serverName') name: string): PublishedListResponse {
    return PublishedListResponse.from(this.published.versionsOf(name), null);
  }

  /** Returns one version of a published server; `latest` is the newest one. */
  @Get(':serverName/versions/:version')
  @Public()
  @Refuses('not_found')
  version(@Param('serverName') name: string, @Param('version') version: string): PublishedServerResponse {
    return PublishedServerResponse.from(this.published.version(name, version));
  }
}
