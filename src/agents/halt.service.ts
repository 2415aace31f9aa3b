import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { TransactionsService } from '../platform/database/transactions.service.js';
import { JournalService } from '../platform/journal/journal.service.js';
import { AgentHalt } from './agent.entity.js';

/** Whether all agents are halted, and why. */
export type Halt = Pick<AgentHalt, 'halted' | 'reason'>;

/** The halt is the one row of its table. */
const ONLY_ROW = { onlyRow: true };

/** Stops all agents at once: while they are halted, no agent is given work or tools (contract §4). */
@Injectable()
export class HaltService {
  constructor(
    @InjectRepository(AgentHalt) private readonly halts: Repository<AgentHalt>,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  get(): Promise<Halt> {
    return this.halts.findOneByOrFail(ONLY_ROW);
  }

  /** @param given is kept only while agents are halted */
  set(halted: boolean, given: string | null): Promise<Halt> {
    const reason = halted ? given : null;
    return this.transactions.run(async () => {
      await this.halts.update(ONLY_ROW, { halted, reason, changedAt: () => 'now()' });
      await this.journal.record({
        type: halted ? 'agent.halted' : 'agent.unhalted',
        subject: { type: 'agent', id: null },
        data: halted ? { reason } : {},
      });
      return { halted, reason };
    });
  }
}
