import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../platform/database/database.service.js';
import { TransactionsService } from '../platform/database/transactions.service.js';
import { JournalService } from '../platform/journal/journal.service.js';

/** Whether all agents are halted, and why. */
export interface Halt {
  halted: boolean;
  reason: string | null;
}

/** The halt is the one row of its table. */
@Injectable()
export class HaltRepository {
  constructor(private readonly database: DatabaseService) {}

  async read(): Promise<Halt> {
    return (await this.database.row<Halt>('SELECT halted, reason FROM agent_halt'))!;
  }

  async set({ halted, reason }: Halt): Promise<Halt> {
    const halt = await this.database.row<Halt>(
      'UPDATE agent_halt SET halted = $1, reason = $2, changed_at = now() RETURNING halted, reason',
      [halted, reason],
    );
    return halt!;
  }
}

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
