import { Injectable } from '@nestjs/common';
import { Transactions } from '../../platform/database/transactions.js';
import { SecretRegister } from '../../platform/encryption/secret-register.js';
import { NotFound } from '../../platform/http/problem.js';
import { Journal } from '../../platform/journal/journal.js';
import { PackageInstaller } from '../packages/package-installer.js';
import { InstalledServersRepository } from './installed-servers.repository.js';
import { ServerLogs } from './logs/server-logs.js';
import { LiveServers } from './running/live-servers.js';

/** Removes servers with all that belongs to them: row, credentials, access, processes, folders (spec §3.3). */
@Injectable()
export class ServerRemovalService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly live: LiveServers,
    private readonly packages: PackageInstaller,
    private readonly secrets: SecretRegister,
    private readonly logs: ServerLogs,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** The row goes first: what is at work for the server then ends, and finds nothing any more to begin anew. */
  async remove(id: string): Promise<void> {
    await this.transactions.run(async () => {
      const server = await this.servers.lock(id);
      if (!server) throw new NotFound();
      await this.servers.delete(id);
      const { name, slug, catalogId } = server;
      await this.journal.record({
        type: 'mcp.server.deleted',
        subject: { type: 'server', id },
        data: { name, slug, catalogId },
      });
    });
    await this.endAndClear(id);
    this.logs.forget(id);
    this.secrets.delete(id);
  }

  /**
   * A server that heeds nothing takes five of the six seconds that there are (spec §3.3), and a large package is
   * tens of thousands of files: so the package goes meanwhile, and what is left when nobody writes any more.
   */
  private async endAndClear(id: string): Promise<void> {
    await Promise.all([
      this.live.remove(id, 'The server was removed by an admin.'),
      this.packages.removeOthers(id, null).catch(() => undefined),
    ]);
    await this.packages.remove(id);
  }
}
