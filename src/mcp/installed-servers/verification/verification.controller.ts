import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../../platform/auth/policy.js';
import { Refuses } from '../../../platform/http/problem/refuses.decorator.js';
import { VerificationResponse } from '../dto/verification.response.js';
import { IdempotentAfterwards } from '../../../platform/http/idempotency/idempotent.decorator.js';
import { VerificationService } from './verification.service.js';

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/verify')
export class VerificationController {
  constructor(private readonly verifications: VerificationService) {}

  /**
   * Starts or reaches the server over a new connection, completes the handshake and lists its tools within 30 seconds.
   * A failed verification is reported with 200 too.
   */
  @Post()
  @IdempotentAfterwards()
  @HttpCode(200)
  @Allow({ role: 'Admin', bearerOnly: true })
  @Refuses('not_found')
  async verify(@Param('id') id: string): Promise<VerificationResponse> {
    return VerificationResponse.from(await this.verifications.verify(id));
  }
}
