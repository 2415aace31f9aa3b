import { Injectable, Logger } from '@nestjs/common';
import { scopeOf, type UsedServer } from '../../mcp/installed-servers/running/process-scope.js';
import { FirstListingsService } from '../../mcp/installed-servers/tools/first-listings.service.js';
import { settlesWithin } from '../../mcp/processes/connection/settles-within.js';

/** A server whose tools have never been listed. */
export interface UnlistedServer extends UsedServer {
  slug: string;
}

/** How long one list waits for such a server (contract §3.3): some clients give up a start-up that takes 10 s. */
const WAIT_MS = 2_000;

/** How long lists do not wait for a server again after a wait without result. */
const HOLD_OFF_MS = 60_000;

/**
 * Lets the first list of an agent's tools wait for servers that were never listed. The listing continues when the wait
 * is over, and a server that does not respond delays one list per minute, not each.
 */
@Injectable()
export class FirstListingWaitService {
  private readonly log = new Logger(FirstListingWaitService.name);
  private readonly heldOff = new Map<string, number>();

  constructor(private readonly listings: FirstListingsService) {}

  /** Returns whether any of them was listed meanwhile. */
  async forAll(servers: readonly UnlistedServer[], agentId: string): Promise<boolean> {
    const listed = await Promise.all(servers.map((server) => this.forOne(server, agentId)));
    return listed.includes(true);
  }

  private async forOne(server: UnlistedServer, agentId: string): Promise<boolean> {
    const { serverId, slug } = server;
    if ((this.heldOff.get(serverId) ?? 0) > performance.now()) return false;
    const listed = await withinPatience(this.listings.ensure(serverId, scopeOf(server, agentId)));
    if (listed) this.heldOff.delete(serverId);
    else this.holdOff(serverId, slug);
    return listed;
  }

  private holdOff(serverId: string, slug: string): void {
    this.heldOff.set(serverId, performance.now() + HOLD_OFF_MS);
    this.log.warn(
      `The tools of ${slug} could not be listed for the first time; verify the server to see why.`,
    );
  }
}

/** Returns false for a listing that fails or takes too long. */
async function withinPatience(listing: Promise<void>): Promise<boolean> {
  const listed = listing.then(
    () => true,
    // The caller logs the failure, and the server keeps its reason.
    () => false,
  );
  return (await settlesWithin(listed, WAIT_MS)) && listed;
}
