import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { HaltRepository, type Halt } from './halt.repository.js';

/** Stops all agents at once: while they are halted, no agent is given work or tools (contract §4). */
@Injectable()
export class HaltService {
  constructor(
    private readonly halts: HaltRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  get(): Promise<Halt> {
    return this.halts.read();
  }

  /** @param reason is kept only while agents are halted */
  set(halted: boolean, reason: string | null): Promise<Halt> {
    return this.transactions.run(async () => {
      const halt = await this.halts.set({ halted, reason: halted ? reason : null });
      await this.journal.record({
        type: halted ? 'agent.halted' : 'agent.unhalted',
        subject: { type: 'agent', id: null },
        data: halted ? { reason } : {},
      });
      return halt;
    });
  }
}
