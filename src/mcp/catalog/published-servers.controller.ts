import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../platform/authentication/policy.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { ListServersQuery } from './catalog.request.js';
import { PublishedListResponse, PublishedServerResponse } from './published-server.response.js';
import { PublishedServersService } from './published-servers.service.js';

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
