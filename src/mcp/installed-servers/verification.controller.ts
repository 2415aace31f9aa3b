import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../../platform/authentication/policy.js';
import { IdempotentAfterwards, Refuses } from '../../platform/http/route.decorators.js';
import { VerificationRecordResponse } from './verification.response.js';
import { VerificationService } from './verification.service.js';

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
