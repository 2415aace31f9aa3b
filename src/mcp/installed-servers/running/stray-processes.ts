import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { ServerSupervisor } from '../../processes/server-supervisor.js';
import { LiveServers } from './live-servers.js';

/** How often this process asks whether others have taken its servers away. */
const LOOK_MS = 1_000;

/**
 * Another process of the service may disable or remove a server whose processes run here. The row tells: once a
 * second, while anything runs, what has lost its row or is disabled is ended.
 */
@Injectable()
export class StrayProcesses implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;
  private looking = false;

  constructor(
    private readonly database: Database,
    private readonly supervisor: ServerSupervisor,
    private readonly live: LiveServers,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), LOOK_MS);
    this.timer.unref();
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
  }

  /** While the database is away nobody can have changed anything in it. */
  private async look(): Promise<void> {
    const ids = [...new Set(this.supervisor.live().map(({ serverId }) => serverId))];
    if (ids.length === 0 || this.looking) return;
    this.looking = true;
    try {
      for (const { id, gone } of await this.strays(ids)) {
        if (gone) await this.live.remove(id, 'The server was removed by an admin.');
        else await this.live.stop(id, 'The server was disabled by an admin.');
      }
    } catch {
      // The next look finds them.
    } finally {
      this.looking = false;
    }
  }

  private strays(ids: string[]): Promise<{ id: string; gone: boolean }[]> {
    return this.database.prepared('mcp.stray-processes', STRAYS, [ids]);
  }
}

const STRAYS = `
  SELECT running.id, s.id IS NULL AS gone
  FROM unnest($1::uuid[]) AS running (id) LEFT JOIN installed_servers s ON s.id = running.id
  WHERE s.id IS NULL OR s.status = 'disabled'`;
