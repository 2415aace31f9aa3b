import { Module } from '@nestjs/common';
import { InstalledServersModule } from '../../mcp/installed-servers/installed-servers.module.js';
import {
  McpMetricsProvider,
  WebhookMetricsProvider,
  WorkMetricsProvider,
  WorkMetricsRepository,
} from './metrics.provider.js';

/** The metrics of the layers below, for /metrics. */
@Module({
  imports: [InstalledServersModule],
  providers: [McpMetricsProvider, WebhookMetricsProvider, WorkMetricsProvider, WorkMetricsRepository],
})
export class MetricsModule {}
