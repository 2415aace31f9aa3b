import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { JournalService } from '../../../platform/journal/journal.service.js';
import {
  MonthRetentionService,
  type DroppedMonth,
} from '../../../platform/partitions/month-retention.service.js';
import { JournalRetentionRepository } from './journal-retention.repository.js';
import { deliveriesRule, journalRule } from './journal-rules.js';

/** Drops old months of deliveries, and then of the journal (contract §8.9). */
@Injectable()
export class EventMonthsWorker {
  constructor(
    months: MonthRetentionService,
    private readonly settings: Settings,
    private readonly rows: JournalRetentionRepository,
    private readonly journal: JournalService,
  ) {
    months.keep(deliveriesRule(settings));
    months.keep(journalRule(settings), (month) => this.record(month));
  }

  private async record({ month, rows, until, to }: DroppedMonth): Promise<void> {
    await this.rows.markPruned(Number(to.replaceAll("'", '')) - 1, until);
    await this.journal.record({
      type: 'journal.pruned',
      subject: { type: 'journal', id: null },
      data: { rows, until, days: this.settings.timelineRetentionDays, month },
    });
  }
}
