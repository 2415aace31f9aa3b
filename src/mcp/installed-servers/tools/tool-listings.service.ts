import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { TransactionsService } from '../../../platform/database/transactions.service.js';
import { ServerSupervisor } from '../../processes/supervision/server-supervisor.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { ProcessEventsService } from '../running/process-events.service.js';
import { ServerDescriptionsService } from '../running/server-descriptions.service.js';
import { CancellableWorkService } from '../running/cancellable-work.service.js';
import { definitionsOf, type ToolDefinition } from './tool-definition.js';
import { ToolSnapshotsService } from './tool-snapshots.service.js';

/** The least time between two listings of a server that keeps sending `list_changed`. */
const LEAST_PAUSE_MS = 1_000;

/** Lists the tools of servers over the connections that agents use, and stores the result. */
@Injectable()
export class ToolListingsService implements OnModuleInit {
  private readonly log = new Logger(ToolListingsService.name);
  private readonly following = new Set<string>();
  private readonly changedAgain = new Set<string>();

  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly descriptions: ServerDescriptionsService,
    private readonly supervisor: ServerSupervisor,
    private readonly work: CancellableWorkService,
    private readonly snapshots: ToolSnapshotsService,
    private readonly transactions: TransactionsService,
    private readonly processEvents: ProcessEventsService,
  ) {}

  onModuleInit(): void {
    this.processEvents.listChanged.subscribe(({ serverId, what }) => {
      // Runs outside the transaction in which the supervisor received the notification.
      if (what === 'tools') this.transactions.afterCommit(() => this.follow(serverId));
    });
  }

  /** Lists a server's tools and starts it where needed. @throws as `ServerSupervisor.listTools` and `describe` do */
  list(serverId: string, scope: string): Promise<void> {
    return this.work.run(serverId, async (ended) => {
      const server = await this.descriptions.describe(serverId, scope);
      const listed = await this.supervisor.listTools(server, scope, ended);
      await this.keep(serverId, server.revision, definitionsOf(listed));
    });
  }

  private async keep(serverId: string, revision: string, tools: ToolDefinition[]): Promise<void> {
    await this.transactions.run(async () => {
      const server = await this.servers.lock(serverId);
      if (server && String(server.revision) === revision) await this.snapshots.keep(serverId, tools);
    });
  }

  /** Runs one listing at a time; a notification that arrives meanwhile causes one more. */
  private async follow(serverId: string): Promise<void> {
    this.changedAgain.add(serverId);
    if (this.following.has(serverId)) return;
    this.following.add(serverId);
    try {
      while (this.changedAgain.delete(serverId)) {
        await this.listLive(serverId);
        await pause(LEAST_PAUSE_MS, undefined, { ref: false });
      }
    } finally {
      this.following.delete(serverId);
    }
  }

  /** Lists a running server. One that has ended meanwhile is listed when it starts again. */
  private async listLive(serverId: string): Promise<void> {
    const live = this.supervisor.live().find((server) => server.serverId === serverId);
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
