import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../../platform/database/transactions.service.js';
import { SYSTEM } from '../../../platform/journal/journal-context.js';
import { JournalService } from '../../../platform/journal/journal.service.js';
import { ProcessControlService } from '../running/process-control.service.js';
import { storableText } from '../storable-text.js';
import { CredentialSetsRepository } from './credential-sets.repository.js';

/** Marks credential sets with which a server crashes. The server and its other sets go on. */
@Injectable()
export class CredentialSetFailuresService {
  constructor(
    private readonly sets: CredentialSetsRepository,
    private readonly processes: ProcessControlService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async fail(serverId: string, credentialSetId: string, given: string): Promise<void> {
    await this.transactions.run(async () => {
      const reason = storableText(given);
      const set = await this.sets.findById(credentialSetId);
      if (!set || !(await this.sets.fail(set.id, reason))) return;
      await this.journal.record({
        type: 'mcp.credentials.failed',
        subject: { type: 'server', id: serverId },
        data: { credentialSet: set.name, reason },
        actor: SYSTEM,
      });
    });
    await this.processes.stop(
      serverId,
      'The server crashed too often with these credentials. An admin must fix it.',
      credentialSetId,
    );
  }
}
