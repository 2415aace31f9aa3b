import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import {
  JournalFollowerWorker,
  type JournalSubscription,
} from '../../platform/journal/journal-follower-and-subscriptions.worker.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import { ProcessControlService } from '../server-processes/process-control-and-work.service.js';
import {
  InstalledServerRepository,
  type OutdatedProcess,
} from '../server-records/installed-server.repository.js';

/** Also without news: a process that was starting when the news came is found by the next check. */
const CHECK_MS = 5_000;

/**
 * Ends or replaces server processes of this service process after another one has disabled, removed or changed their
 * server. The journal says that something changed, the server's row what: a process whose server has no row or is
 * disabled, or whose credentials were revoked, is ended; one that runs with an earlier revision (credentials, version) is replaced.
 */
@Injectable()
export class ProcessReconcilerWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private subscription: JournalSubscription | null = null;

  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly supervisor: ServerSupervisor,
    private readonly processes: ProcessControlService,
    private readonly journal: JournalFollowerWorker,
  ) {}

  onApplicationBootstrap(): void {
    this.subscription = this.journal.subscribe({
      name: 'Server processes could not be reconciled with their servers',
      types: /^mcp\.(server|credentials)\./,
      everyMs: CHECK_MS,
      handle: () => this.reconcile(),
    });
  }

  async onModuleDestroy(): Promise<void> {
    if (this.subscription) await this.journal.unsubscribe(this.subscription);
  }

  private async reconcile(): Promise<void> {
    for (const outdated of await this.outdated()) await this.endOrReplace(outdated);
  }

  private async endOrReplace({ id, credentialSetId, why }: OutdatedProcess): Promise<void> {
    if (why === 'credentials')
      await this.processes.stop(id, 'The credentials were revoked by an admin.', credentialSetId);
    else if (why === 'gone') await this.processes.remove(id, 'The server was removed by an admin.');
    else if (why === 'disabled') await this.processes.stop(id, 'The server was disabled by an admin.');
    else this.processes.replace(id, { credentialSetId });
  }

  private async outdated(): Promise<OutdatedProcess[]> {
    const live = this.supervisor.live();
    if (live.length === 0) return [];
    return this.servers.findOutdated(live);
  }
}
