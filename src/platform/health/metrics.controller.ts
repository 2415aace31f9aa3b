import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Public } from '../auth/policy.js';
import { Metrics } from './metrics.js';

@ApiTags('Operation')
@Controller()
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  /** What this process and its work look like, for Prometheus. It holds no secrets; a proxy may keep it inside. */
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
  tell(): Promise<string> {
    return this.metrics.registry.metrics();
  }
}
