import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../platform/auth/policy.js';
import { AccessMatrixRepository } from './access-matrix.repository.js';
import { AccessMatrixResponse } from './dto/access-matrix.response.js';

@ApiTags('MCP servers')
@Controller('api/mcp/access')
export class AccessMatrixController {
  constructor(private readonly matrix: AccessMatrixRepository) {}

  /** Returns every agent, every installed server, and which agent may use which server, as one consistent view. */
  @Get()
  @Allow({ role: 'Admin', bearerOnly: true })
  get(): Promise<AccessMatrixResponse> {
    return this.matrix.read();
  }
}
