import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../../platform/database/transactions.js';
import { ServerSupervisor } from '../../processes/server-supervisor.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { ProcessNews } from '../running/process-news.js';
import { ServerDescriptions } from '../running/server-descriptions.js';
import { ServerWork } from '../running/server-work.js';
import { definitionsOf, type ToolDefinition } from './tool-definition.js';
import { ToolSnapshots } from './tool-snapshots.js';

/** A server that never stops telling of changes is listed this often at most. */
const LEAST_PAUSE_MS = 1_000;

/** Lists the tools of servers over the connections that agents use, and keeps what they say. */
@Injectable()
export class ToolListings implements OnModuleInit {
  private readonly log = new Logger(ToolListings.name);
  private readonly following = new Set<string>();
  private readonly changedAgain = new Set<string>();

  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly descriptions: ServerDescriptions,
    private readonly supervisor: ServerSupervisor,
    private readonly work: ServerWork,
    private readonly snapshots: ToolSnapshots,
    private readonly transactions: Transactions,
    private readonly news: ProcessNews,
  ) {}

  onModuleInit(): void {
    this.news.listChanged.subscribe(({ serverId, what }) => {
      // Out of the transaction and the turn in which the supervisor heard of it.
      if (what === 'tools') this.transactions.afterCommit(() => this.follow(serverId));
    });
  }

  /** Lists a server's tools, starting it where needed. @throws as `ServerSupervisor.listTools` and `describe` do */
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

  /** One listing at a time; a change that is told meanwhile leads to one more. */
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

  /** Starts nothing: a server that has ended meanwhile is listed when it is started again. */
  private async listLive(serverId: string): Promise<void> {
    const live = this.supervisor.live().find((server) => server.serverId === serverId);
    if (!live) return;
    try {
      await this.list(serverId, live.scope);
    } catch (error) {
      this.log.warn(
        `The tools of ${serverId} could not be listed: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
