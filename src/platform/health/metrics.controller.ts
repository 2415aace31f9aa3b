import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Public } from '../authentication/policy.js';
import { MetricsService } from './metrics.service.js';

@ApiTags('Operation')
@Controller()
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  /** Returns the metrics of this process for Prometheus. They contain no secrets; a proxy may hide them. */
  @Get('metrics')
  @Public()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  @ApiOkResponse({
    description: 'The text format of Prometheus.',
    content: {
      'text/plain': {
        schema: { type: 'string' },
        example: '# TYPE awp_issues gauge\nawp_issues{status="Open"} 12\n',
      },
    },
  })
  read(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
