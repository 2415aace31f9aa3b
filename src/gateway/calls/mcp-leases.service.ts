import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { McpLeasesRepository, type LeaseHolder } from '../../work/leases/mcp-leases.repository.js';
import type { CallingSession } from './exchange.js';

/** Returns the name under which a session holds leases. Its id alone opens the session, so that is not stored. */
export function sessionName(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

/** Keeps the leases of agents that work by MCP alone alive, with each of their requests (contract §7.4). */
@Injectable()
export class McpLeasesService {
  private readonly log = new Logger(McpLeasesService.name);

  constructor(private readonly leases: McpLeasesRepository) {}

  /** Returns who holds what a call takes; null for a caller without a session that gives no name. */
  holderOf(session: CallingSession | undefined, worker: string | null): LeaseHolder | null {
    if (!session && worker === null) return null;
    return { session: session?.name ?? null, worker };
  }

  /**
   * Renews the leases of the holder, and confirms that it has the token of the issue that its request names.
   * @param reference id or key
   */
  async renew(agent: AgentPrincipal, holder: LeaseHolder, reference: string | null = null): Promise<void> {
    if (agent.lease || agent.disabled) return;
    if (await this.leases.renew(agent.id, holder, reference)) await this.leases.markSeen(agent.id);
  }

  /** Renews the leases of a session with a request that does not depend on them. */
  async renewOfSession(agent: AgentPrincipal, session: string): Promise<void> {
    try {
      await this.renew(agent, { session, worker: null });
    } catch (error) {
      this.log.warn(
        `The leases of a session could not be renewed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
