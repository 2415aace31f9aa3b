import { Injectable } from '@nestjs/common';
import { Chores } from '../../../platform/chores/chores.js';
import { Settings } from '../../../platform/config/settings.js';
import { ToolCallsRepository } from './tool-calls.repository.js';

/** Prunes records of tool calls after AUDIT_RETENTION_DAYS (spec §8); the journal is never pruned. */
@Injectable()
export class ToolCallRetention {
  constructor(chores: Chores, calls: ToolCallsRepository, { auditRetentionDays: days }: Settings) {
    if (days === 0) return;
    chores.add({ name: 'old records of tool calls', everySeconds: 3_600, run: () => calls.prune(days) });
  }
}
