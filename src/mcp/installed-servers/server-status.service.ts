import { Injectable, type OnModuleInit } from '@nestjs/common';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound } from '../../platform/http/problem/problem.js';
import { SYSTEM } from '../../platform/journal/journal-context.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { CredentialSetFailuresService } from './credential-sets/credential-set-failures.service.js';
import { storableText } from './storable-text.js';
import { InstalledServersRepository } from './installed-servers.repository.js';
import { ProcessControlService } from './running/process-control.service.js';
import { ProcessEventsService } from './running/process-events.service.js';

/** Enables and disables servers, and marks those that fail (contract §3.3). Repeating an operation changes nothing. */
@Injectable()
export class ServerStatusService implements OnModuleInit {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly processes: ProcessControlService,
    private readonly failures: CredentialSetFailuresService,
    private readonly processEvents: ProcessEventsService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  onModuleInit(): void {
    this.processEvents.crashLimit.subscribe(({ serverId, credentialSetId, reason }) => {
      this.transactions.afterCommit(() =>
        credentialSetId === serverId
          ? this.fail(serverId, reason)
          : this.failures.fail(serverId, credentialSetId, reason),
      );
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
    this.processes.forgive(id);
  }

  /** Resolves when the server's processes have ended. */
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
    await this.processes.stop(
      id,
      'The server was disabled by an admin. Continue without it, or ask an admin to enable it.',
    );
  }

  /** Puts an enabled server that no longer works into the status `error`. */
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
    await this.processes.stop(id, 'The server crashed too often and is in error. An admin must fix it.');
  }

  private async lock(id: string) {
    const row = await this.servers.lock(id);
    if (!row) throw new NotFound();
    return row;
  }
}
