import { Controller, Get, Header, HttpCode, Res } from '@nestjs/common';
import { ApiServiceUnavailableResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../authentication/policy.js';
import { ReadinessService } from './readiness.service.js';
import { LiveResponse, ReadyResponse } from './ready.response.js';

@ApiTags('Operation')
@Controller()
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Reports that the process responds. */
  @Get('livez')
  @Public()
  @HttpCode(200)
  live(): LiveResponse {
    return { status: 'ok' };
  }

  /** Reports whether the service can work: database, migrations, key ring, sandbox. */
  @Get('readyz')
  @Public()
  @Header('Cache-Control', 'no-store')
  @ApiServiceUnavailableResponse({
    type: ReadyResponse,
    description: 'Something that the service needs is missing.',
  })
  async ready(@Res({ passthrough: true }) response: Response): Promise<ReadyResponse> {
    const report = await this.readiness.report();
    if (report.status !== 'ok') response.status(503).header('Retry-After', '2');
    return report;
  }
}
