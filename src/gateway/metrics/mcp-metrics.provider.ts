import { Injectable, type OnModuleInit } from '@nestjs/common';
import { countOrphans } from '../../mcp/processes/supervision/orphans.js';
import { ServerSupervisor } from '../../mcp/processes/supervision/server-supervisor.js';
import { Settings } from '../../platform/config/settings.js';
import { MetricsService } from '../../platform/health/metrics.service.js';
import { CachedValue } from './work-metrics.provider.js';

/** Counting them reads every process of the host. */
const ORPHANS_MS = 30_000;

/** Measures the processes of MCP servers that this service has started, and orphaned ones. */
@Injectable()
export class McpMetricsProvider implements OnModuleInit {
  private readonly orphans = new CachedValue(() => countOrphans(this.settings.dataDir), ORPHANS_MS);

  constructor(
    private readonly supervisor: ServerSupervisor,
    private readonly settings: Settings,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.metrics.gauge('awp_mcp_connections', 'Live connections to MCP servers.', ['kind'], (gauge) => {
      const live = this.supervisor.live();
      const processes = live.filter(({ pid }) => pid !== null).length;
      gauge.set({ kind: 'process' }, processes);
      gauge.set({ kind: 'remote' }, live.length - processes);
    });
    this.metrics.gauge('awp_mcp_calls_in_flight', 'Calls of MCP servers under way.', [], (gauge) =>
      gauge.set(this.supervisor.live().reduce((sum, { inFlight }) => sum + inFlight, 0)),
    );
    const help = 'Processes of MCP servers whose service process is dead: always 0.';
    this.metrics.gauge('awp_mcp_orphan_processes', help, [], async (gauge) => {
      const count = await this.orphans.get();
      if (count !== null) gauge.set(count);
    });
  }
}
