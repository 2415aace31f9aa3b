import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Transactions } from '../../platform/database/transactions.js';
import { Journal } from '../../platform/journal/journal.js';

/** Whether all agents are stopped, and why. */
export interface Halt {
  halted: boolean;
  reason: string | null;
}

/** The switch that stops all agents at once: while it is on none is given work or tools (spec §4). */
@Injectable()
export class HaltService {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  async get(): Promise<Halt> {
    return (await this.database.row<Halt>('SELECT halted, reason FROM agent_halt'))!;
  }

  set(halted: boolean, reason: string | null): Promise<Halt> {
    return this.transactions.run(async () => {
      const halt = await this.database.row<Halt>(
        `UPDATE agent_halt SET halted = $1, reason = $2, changed_at = now() RETURNING halted, reason`,
        [halted, halted ? reason : null],
      );
      await this.journal.record({
        type: halted ? 'agent.halted' : 'agent.unhalted',
        subject: { type: 'agent', id: null },
        data: halted ? { reason } : {},
      });
      return halt!;
    });
  }
}
