import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';

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
