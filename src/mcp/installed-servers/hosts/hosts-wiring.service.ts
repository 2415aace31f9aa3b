import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { CatalogService } from '../../catalog/catalog.service.js';
import { McpUnavailable } from '../../processes/connection/mcp-errors.js';
import { ServerSupervisor } from '../../processes/supervision/server-supervisor.js';
import type { RuntimeReport } from '../../runtime/runtime-report.js';
import { RuntimeService } from '../../runtime/runtime.service.js';
import { ProcessClaimsService } from './process-claims.service.js';
import { ToolsHostsClient } from './tools-hosts.client.js';

const MOVED = 'The server goes on at another host. Try again.';

/** Connects what runs servers with the other processes of this installation. */
@Injectable()
export class HostsWiringService implements OnModuleInit {
  private readonly log = new Logger(HostsWiringService.name);

  constructor(
    private readonly hosts: ToolsHostsClient,
    private readonly claims: ProcessClaimsService,
    private readonly supervisor: ServerSupervisor,
    private readonly runtimes: RuntimeService,
    private readonly catalog: CatalogService,
  ) {}

  onModuleInit(): void {
    if (this.hosts.isNeeded) {
      this.runtimes.elsewhere = (refresh) => this.runtimesOfHost(refresh);
      this.catalog.reloadElsewhere = () => this.hosts.askAll('reload', null);
    }
    this.claims.wanted.subscribe(({ serverId, scope }) =>
      this.inBackground(serverId, this.supervisor.yieldProcess(serverId, scope)),
    );
    this.claims.lost.subscribe(({ serverId }) =>
      this.inBackground(serverId, this.supervisor.stop(serverId, MOVED)),
    );
  }

  /** Returns null where no host responds: the catalogue is read then with the runtimes of this host. */
  private async runtimesOfHost(refresh: boolean): Promise<RuntimeReport | null> {
    try {
      return (await this.hosts.ask('runtime', 'runtime', { refresh })) as RuntimeReport;
    } catch (error) {
      if (error instanceof McpUnavailable) return null;
      throw error;
    }
  }

  private inBackground(serverId: string, work: Promise<void>): void {
    work.catch((error: unknown) =>
      this.log.error(`A process of server ${serverId} could not be handed over: ${String(error)}`),
    );
  }
}
