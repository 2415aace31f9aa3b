import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../platform/auth/policy.js';
import { AccessMatrixRepository } from './access-matrix.repository.js';
import { AccessService } from './access.service.js';
import { SetAccessRequest } from './dto/set-access.request.js';
import { AccessMatrixResponse } from './dto/access-matrix.response.js';

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
    return this.matrix.read();
  }

  /** Merges several grants: pairs that the request does not name keep their access. All entries apply or none, at once. */
  @Put()
  @Allow({ role: 'Admin', bearerOnly: true })
  async set(@Body() body: SetAccessRequest): Promise<AccessMatrixResponse> {
    await this.access.setPairs(body.entries);
    return this.matrix.read();
  }
}
