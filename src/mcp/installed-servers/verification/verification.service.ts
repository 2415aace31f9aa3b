import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../platform/http/problem.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { ServerDescriptions } from '../running/server-descriptions.js';
import { ServerWork } from '../running/server-work.js';
import { ServerVerifier } from './server-verifier.js';
import { VerificationRecords } from './verification-records.js';
import type { Verification } from './verification.js';

/** Verifies installed servers (spec §3.3). */
@Injectable()
export class VerificationService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly descriptions: ServerDescriptions,
    private readonly verifier: ServerVerifier,
    private readonly records: VerificationRecords,
    private readonly work: ServerWork,
  ) {}

  /** The answer tells what was found, also where a change of the server meanwhile has made it void. */
  verify(serverId: string): Promise<Verification> {
    return this.work.run(serverId, async (ended) => {
      const server = await this.servers.findById(serverId);
      if (!server) throw new NotFound();
      const outcome = await this.verifier.verify(
        () => this.descriptions.instance(server.id),
        server.entry,
        ended,
      );
      ended.throwIfAborted();
      await this.records.keep(server.id, server.revision, outcome);
      return outcome.verification;
    });
  }
}
