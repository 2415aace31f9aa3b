import { Injectable } from '@nestjs/common';
import { ToolsHostsClient } from '../hosts/tools-hosts.client.js';
import { ToolListingsService } from './tool-listings.service.js';

/**
 * Starts and lists a server that has never been listed when an agent asks for its tools (contract §3.3). Requests that
 * arrive meanwhile share one listing. The journal records its end as `mcp.tool.approved`.
 */
@Injectable()
export class FirstListingsService {
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly listings: ToolListingsService,
    private readonly hosts: ToolsHostsClient,
  ) {}

  /**
   * Resolves when the server's tools are listed; the caller decides how long to wait.
   * @param scope the scope of the process to start if none runs, from `scopeOf`
   * @throws as `ToolListingsService.list` does
   */
  ensure(serverId: string, scope: string): Promise<void> {
    const running = this.running.get(serverId) ?? this.begin(serverId, scope);
    this.running.set(serverId, running);
    return running;
  }

  private async begin(serverId: string, scope: string): Promise<void> {
    try {
      if (this.hosts.isNeeded) await this.hosts.ask(`${serverId}/${scope}`, 'list', { serverId, scope });
      else await this.listings.list(serverId, scope);
    } finally {
      this.running.delete(serverId);
    }
  }
}
