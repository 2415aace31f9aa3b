import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../platform/authentication/route-policies-and-agent-itself.js';
import { GetRuntimeQuery, RuntimeReportResponse } from './runtime.dto.js';
import { RuntimeService } from './runtime.service.js';

@ApiTags('MCP servers')
@Controller('api/mcp/runtime')
export class RuntimeController {
  constructor(private readonly runtimes: RuntimeService) {}

  /** Returns the runtimes of this host. The report is at most 30 seconds old; `refresh=true` makes a new one. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  async get(@Query() query: GetRuntimeQuery): Promise<RuntimeReportResponse> {
    return RuntimeReportResponse.from(await this.runtimes.report(query.refresh));
  }
}
