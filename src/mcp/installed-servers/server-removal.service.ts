import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { SecretRegister } from '../../platform/encryption/secret-register.js';
import { NotFound } from '../../platform/http/problem/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { PackageInstaller } from '../packages/package-installer.js';
import { CredentialSetsRepository } from './credential-sets/credential-sets.repository.js';
import { InstalledServersRepository } from './installed-servers.repository.js';
import { GrantRevocationsService } from './oauth/grant-revocations.service.js';
import { ServerLogsService } from './logs/server-logs.service.js';
import { ProcessControlService } from './running/process-control.service.js';

/** Removes servers with everything that belongs to them: row, credentials, access, processes, folders (contract §3.3). */
@Injectable()
export class ServerRemovalService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly sets: CredentialSetsRepository,
    private readonly revocations: GrantRevocationsService,
    private readonly processes: ProcessControlService,
    private readonly packages: PackageInstaller,
    private readonly secrets: SecretRegister,
    private readonly logs: ServerLogsService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** Deletes the row first: running work then ends, and no new work can begin. */
  async remove(id: string): Promise<void> {
    const sets = await this.transactions.run(async () => {
      const server = await this.servers.lock(id);
      if (!server) throw new NotFound();
      const ofServer = await this.sets.list(id);
      await this.revocations.revokeLater(ofServer.map((set) => set.id));
      await this.servers.delete(id);
      const { name, slug, catalogId } = server;
      await this.journal.record({
        type: 'mcp.server.deleted',
        subject: { type: 'server', id },
        data: { name, slug, catalogId },
      });
      return ofServer;
    });
    await this.endAndClear(id);
    this.logs.forget(id);
    for (const set of sets) this.secrets.delete(set.id);
  }

  /**
   * Removes the packages while the processes end, and the rest of the folder once no process writes to it. A server
   * that ignores every signal takes five of the six seconds allowed (contract §3.3), and a large package has tens of
   * thousands of files.
   */
  private async endAndClear(id: string): Promise<void> {
    await Promise.all([
      this.processes.remove(id, 'The server was removed by an admin.'),
      // A failure cannot matter: the next statement removes the same files again and reports what it cannot.
      this.packages.removeOthers(id, null).catch(() => undefined),
    ]);
    await this.packages.remove(id);
  }
}
