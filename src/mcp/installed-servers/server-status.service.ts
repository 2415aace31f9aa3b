import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { NotFound } from '../../platform/http/problem.js';
import { SYSTEM } from '../../platform/journal/journal-context.js';
import { Journal } from '../../platform/journal/journal.js';
import { storableText } from './storable-text.js';
import { InstalledServersRepository } from './installed-servers.repository.js';
import { LiveServers } from './running/live-servers.js';
import { ProcessNews } from './running/process-news.js';

/** Turns servers on and off (spec §3.3). To do so again changes nothing. */
@Injectable()
export class ServerStatusService implements OnModuleInit {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly live: LiveServers,
    private readonly news: ProcessNews,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  onModuleInit(): void {
    this.news.crashLimit.subscribe(({ serverId, reason }) => {
      this.transactions.afterCommit(() => this.fail(serverId, reason));
    });
  }

  async enable(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const { status } = await this.lock(id);
      if (status === 'enabled') return;
      await this.servers.changeStatus(id, ['disabled', 'error'], 'enabled', null);
      await this.journal.record({
        type: 'mcp.server.enabled',
        subject: { type: 'server', id },
        data: { from: status },
      });
    });
    this.live.forgive(id);
  }

  /** Its processes have ended when this resolves. */
  async disable(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const { status } = await this.lock(id);
      if (status === 'disabled') return;
      await this.servers.changeStatus(id, ['enabled', 'error'], 'disabled', null);
      await this.journal.record({
        type: 'mcp.server.disabled',
        subject: { type: 'server', id },
        data: { from: status },
      });
    });
    await this.live.stop(
      id,
      'The server was disabled by an admin. Do without it, or ask for it to be enabled.',
    );
  }

  /** An enabled server that does not work any more. */
  async fail(id: string, reason: string): Promise<void> {
    await this.transactions.run(async () => {
      const statusReason = storableText(reason);
      if (!(await this.servers.changeStatus(id, ['enabled'], 'error', statusReason))) return;
      await this.journal.record({
        type: 'mcp.server.failed',
        subject: { type: 'server', id },
        data: { reason: statusReason },
        actor: SYSTEM,
      });
    });
    await this.live.stop(id, 'The server crashed too often and is in error. An admin has to see to it.');
  }

  private async lock(id: string) {
    const row = await this.servers.lock(id);
    if (!row) throw new NotFound();
    return row;
  }
}
