import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../platform/http/problem/problem.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { ToolsHostsClient } from '../hosts/tools-hosts.client.js';
import { ServerDescriptionsService } from '../running/server-descriptions.service.js';
import { CancellableWorkService } from '../running/cancellable-work.service.js';
import { ServerVerifierService } from './server-verifier.service.js';
import { VerificationRecordsService } from './verification-records.service.js';
import type { VerificationRecord } from './verification.js';
import { VerificationsRepository } from './verifications.repository.js';

/** Verifies installed servers (contract §3.3). */
@Injectable()
export class VerificationService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly descriptions: ServerDescriptionsService,
    private readonly verifier: ServerVerifierService,
    private readonly records: VerificationRecordsService,
    private readonly history: VerificationsRepository,
    private readonly work: CancellableWorkService,
    private readonly hosts: ToolsHostsClient,
  ) {}

  /** Returns the result even if a change of the server in the meantime made it obsolete. */
  verify(serverId: string): Promise<VerificationRecord> {
    if (this.hosts.isNeeded) return this.hosts.askForPerson(`${serverId}/shared`, 'verify', { serverId });
    return this.work.run(serverId, async (ended) => {
      const server = await this.servers.findById(serverId);
      if (!server) throw new NotFound();
      const outcome = await this.verifier.verify(
        () => this.descriptions.instance(server.id),
        server.entry,
        ended,
      );
      ended.throwIfAborted();
      return this.records.keep(server.id, server.revision, outcome);
    });
  }

  /** Returns the last verifications of a server, newest first. */
  async list(serverId: string): Promise<VerificationRecord[]> {
    const server = await this.servers.findById(serverId);
    if (!server) throw new NotFound();
    return this.history.list(server.id);
  }
}
