import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { scopeOf, type Sharing } from '../../mcp/installed-servers/running/scope.js';
import { FirstListings } from '../../mcp/installed-servers/tools/first-listings.js';

/** A server whose tools nobody has listed yet. */
export interface UnlistedServer {
  serverId: string;
  slug: string;
  sharing: Sharing;
}

/** How long a list waits for such a server, once (spec §3.3). */
const WAIT_MS = 10_000;

/** After a wait in vain lists go on without the server for so long. */
const HOLD_OFF_MS = 60_000;

/**
 * Lets the first list of an agent's tools wait for servers that were never listed. The listing goes on by
 * itself when the wait is over; a server that does not get there delays one list in a while, not each.
 */
@Injectable()
export class FirstListingWait {
  private readonly log = new Logger(FirstListingWait.name);
  private readonly heldOff = new Map<string, number>();

  constructor(private readonly listings: FirstListings) {}

  /** True if any of them was listed meanwhile. */
  async forAll(servers: readonly UnlistedServer[], agentId: string): Promise<boolean> {
    const listed = await Promise.all(servers.map((server) => this.forOne(server, agentId)));
    return listed.includes(true);
  }

  private async forOne({ serverId, slug, sharing }: UnlistedServer, agentId: string): Promise<boolean> {
    if ((this.heldOff.get(serverId) ?? 0) > performance.now()) return false;
    const listed = await withinPatience(this.listings.ensure(serverId, scopeOf(sharing, agentId)));
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

/** False for a listing that fails, or takes longer than one waits. */
async function withinPatience(listing: Promise<void>): Promise<boolean> {
  const patience = new AbortController();
  const given = { signal: patience.signal };
  const settled = listing.then(
    () => true,
    () => false,
  );
  const listed = await Promise.race([settled, pause(WAIT_MS, false, given).catch(() => false)]);
  patience.abort();
  return listed;
}
