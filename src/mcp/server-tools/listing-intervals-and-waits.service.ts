import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { settlesWithin } from '../processes/connection/deadlines.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import { credentialSetOf, scopeOf, type UsedServer } from '../processes/server-description-and-limits.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import type { StartedServer } from '../processes/supervision/supervisor-settings.js';
import { ServerDescriptionsService } from '../running/server-descriptions-and-package-locks.service.js';
import { CancellableWorkService } from '../server-processes/process-control-and-work.service.js';
import { ProcessEventsService } from '../server-processes/supervisor-sandbox-and-sweep.provider.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import { defaultSetOf } from '../server-records/server-records.entities.js';
import { type ListedTool, listingOf } from '../server-records/tool-definition.js';
import { ToolsHostsClient } from '../tools-hosts/tools-hosts-and-internal-keys.client.js';
import { ToolComparisonsService } from './tool-changes-and-withholding.service.js';

/**
 * The time between two listings of a server that keeps sending `list_changed`; it doubles with each. It begins short,
 * because the third of three changes within 2 s is listed only after two pauses, and agents hear of it then: the official
 * conformance suite makes three, and waits for 1.5 s.
 */
const LEAST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 300_000;

/** Lists the tools of servers over the connections that agents use, and stores the result. */
@Injectable()
export class ToolListingsService implements OnModuleInit {
  private readonly log = new Logger(ToolListingsService.name);
  private readonly following = new Set<string>();
  private readonly changedAgain = new Set<string>();

  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly descriptions: ServerDescriptionsService,
    private readonly supervisor: ServerSupervisor,
    private readonly work: CancellableWorkService,
    private readonly changes: ToolComparisonsService,
    private readonly transactions: TransactionsService,
    private readonly processEvents: ProcessEventsService,
  ) {}

  onModuleInit(): void {
    this.processEvents.compare = (server, tools) => this.keepStart(server, tools);
    this.processEvents.listChanged.subscribe(({ serverId, what }) => {
      // Runs outside the transaction in which the supervisor received the notification.
      if (what === 'tools') this.transactions.afterCommit(() => this.follow(serverId));
    });
  }

  /** Lists a server's tools; one that has to be started is listed by its start. @throws as `ServerSupervisor.listTools` and `describe` do */
  list(serverId: string, scope: string): Promise<void> {
    return this.work.run(serverId, async (ended) => {
      const server = await this.descriptions.describe(serverId, scope);
      const listed = await this.supervisor.listTools(server, scope, ended);
      const credentialSetId = credentialSetOf(serverId, scope);
      if (!listed) return;
      const tools = await listingOf(listed);
      await this.keep({ serverId, credentialSetId, revision: server.revision }, tools);
    });
  }

  /**
   * Compares and stores what a start has listed. A start of an outdated revision fails, because nothing would compare
   * its tools with the approved ones.
   */
  private async keepStart(started: StartedServer, listed: readonly unknown[]): Promise<void> {
    if (!(await this.keep(started, await listingOf(listed)))) throw new StartOutdated();
  }

  /** @returns false when the server or the set was removed, or has another revision by now */
  private keep(
    { serverId, credentialSetId, revision }: StartedServer,
    tools: ListedTool[],
  ): Promise<boolean> {
    return this.transactions.run(async () => {
      await this.servers.lock(serverId);
      if ((await this.servers.processRevision(serverId, credentialSetId)) !== revision) return false;
      await this.changes.keep(serverId, tools, { isDefaultSet: credentialSetId === defaultSetOf(serverId) });
      return true;
    });
  }

  /** Runs one listing at a time; a notification that arrives meanwhile causes one more. */
  private async follow(serverId: string): Promise<void> {
    this.changedAgain.add(serverId);
    if (this.following.has(serverId)) return;
    this.following.add(serverId);
    try {
      for (
        let wait = LEAST_PAUSE_MS;
        this.changedAgain.delete(serverId);
        wait = Math.min(2 * wait, LONGEST_PAUSE_MS)
      ) {
        await this.listLive(serverId);
        await pause(wait, undefined, { ref: false });
      }
    } finally {
      this.following.delete(serverId);
    }
  }

  /** Lists a running server. One that has ended meanwhile is listed when it starts again. */
  private async listLive(serverId: string): Promise<void> {
    const running = this.supervisor.live().filter((server) => server.serverId === serverId);
    const live =
      running.find(({ credentialSetId }) => credentialSetId === defaultSetOf(serverId)) ?? running[0];
    if (!live) return;
    try {
      await this.list(serverId, live.scope);
    } catch (error) {
      this.log.warn(
        `The tools of server ${serverId} could not be listed; agents keep the last listing: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

/** Not a crash: the next call starts the server with its new settings. */
class StartOutdated extends McpUnavailable {
  constructor() {
    super('outdated', 'The settings of the server changed while it started. Try again.');
  }
}

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
