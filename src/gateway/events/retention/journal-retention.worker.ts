import { Injectable } from '@nestjs/common';
import { ChoresWorker } from '../../../platform/chores/chores.worker.js';
import { Settings } from '../../../platform/config/settings.js';
import { TransactionsService } from '../../../platform/database/transactions.service.js';
import { JournalService } from '../../../platform/journal/journal.service.js';
import { JournalRetentionRepository } from './journal-retention.repository.js';

/**
 * Deletes rows of the journal after JOURNAL_RETENTION_DAYS (contract §8.2). Each batch leaves one row that says how many
 * rows went and up to when, so that the audit never has a hole without an explanation.
 */
@Injectable()
export class JournalRetentionWorker {
  constructor(
    chores: ChoresWorker,
    private readonly settings: Settings,
    private readonly rows: JournalRetentionRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {
    const days = settings.journalRetentionDays;
    if (days > 0) chores.add({ name: 'old journal rows', everySeconds: 3_600, run: () => this.prune(days) });
  }

  private prune(days: number): Promise<number> {
    return this.transactions.run(async () => {
      const { rows, until } = await this.rows.prune(days, this.settings.retentionArchive);
      if (rows > 0)
        await this.journal.record({
          type: 'journal.pruned',
          subject: { type: 'journal', id: null },
          data: { rows, until, days },
        });
      return rows;
    });
  }
}
