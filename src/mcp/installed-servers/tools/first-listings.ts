import { Injectable } from '@nestjs/common';
import { ToolListings } from './tool-listings.js';

/**
 * Where an agent asks for its tools before a server was ever verified, the server is started and listed then
 * (spec §3.3): once for all who ask meanwhile. The journal tells when it is done (`mcp.tool.approved`).
 */
@Injectable()
export class FirstListings {
  private readonly running = new Map<string, Promise<void>>();

  constructor(private readonly listings: ToolListings) {}

  /**
   * Resolves when the server's tools were listed; how long to wait for that is the caller's to say.
   * @param scope of the process that is started where none runs, see `scopeOf`
   * @throws as `ToolListings.list` does
   */
  ensure(serverId: string, scope: string): Promise<void> {
    const running = this.running.get(serverId) ?? this.begin(serverId, scope);
    this.running.set(serverId, running);
    return running;
  }

  private async begin(serverId: string, scope: string): Promise<void> {
    try {
      await this.listings.list(serverId, scope);
    } finally {
      this.running.delete(serverId);
    }
  }
}
