import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Subscription } from 'rxjs';
import { Database } from '../../../platform/database/database.js';
import { JournalNotices } from '../../../platform/journal/journal-notices.js';
import { ServerSupervisor } from '../../processes/server-supervisor.js';
import { LiveServers } from './live-servers.js';

/** How often this process asks whether others have taken its servers away, also where no notice came through. */
const LOOK_MS = 5_000;

/**
 * Another process of the service may disable, remove or change a server whose processes run here. A notice tells
 * that something did, the row what: what has lost its row or is disabled is ended, what runs with credentials
 * or a version of before is replaced. Every few seconds, while anything runs, it looks without a notice.
 */
@Injectable()
export class StrayProcesses implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | null = null;
  private notices: Subscription | null = null;
  private looking = false;
  private again = false;

  constructor(
    private readonly database: Database,
    private readonly supervisor: ServerSupervisor,
    private readonly live: LiveServers,
    private readonly journal: JournalNotices,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), LOOK_MS);
    this.timer.unref();
    this.notices = this.journal.heard.subscribe((type) => {
      if (type === null || type.startsWith('mcp.server.')) void this.look();
    });
  }

  onModuleDestroy(): void {
    if (this.timer) clearInterval(this.timer);
    this.notices?.unsubscribe();
  }

  /** While the database is away nobody can have changed anything in it. */
  private async look(): Promise<void> {
    this.again = this.looking;
    if (this.looking) return;
    this.looking = true;
    try {
      for (const stray of await this.strays()) await this.end(stray);
    } catch {
      // The next look finds them.
    } finally {
      this.looking = false;
    }
    if (this.again) await this.look();
  }

  private async end({ id, why }: Stray): Promise<void> {
    if (why === 'gone') await this.live.remove(id, 'The server was removed by an admin.');
    else if (why === 'disabled') await this.live.stop(id, 'The server was disabled by an admin.');
    else this.live.replace(id);
  }

  private async strays(): Promise<Stray[]> {
    const live = this.supervisor.live();
    if (live.length === 0) return [];
    const running = [live.map(({ serverId }) => serverId), live.map(({ revision }) => revision)];
    return this.database.prepared<Stray>('mcp.stray-processes', STRAYS, running);
  }
}

interface Stray {
  id: string;
  why: 'gone' | 'disabled' | 'changed';
}

/** A server that is being replaced runs in two revisions: then the older one is on its way out already. */
const STRAYS = `
  SELECT running.id, CASE WHEN s.id IS NULL THEN 'gone' WHEN s.status = 'disabled' THEN 'disabled' ELSE 'changed' END AS why
  FROM (SELECT id, max(revision::bigint) AS revision
        FROM unnest($1::uuid[], $2::text[]) AS live (id, revision) GROUP BY id) AS running
  LEFT JOIN installed_servers s ON s.id = running.id
  WHERE s.id IS NULL OR s.status = 'disabled' OR s.revision > running.revision`;
