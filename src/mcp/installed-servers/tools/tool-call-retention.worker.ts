import { Injectable } from '@nestjs/common';
import { ChoresWorker } from '../../../platform/chores/chores.worker.js';
import { Settings } from '../../../platform/config/settings.js';
import { ToolCallsRepository } from './tool-calls.repository.js';

/** Deletes records of tool calls after AUDIT_RETENTION_DAYS (contract §8); the journal keeps its entries. */
@Injectable()
export class ToolCallRetentionWorker {
  constructor(chores: ChoresWorker, calls: ToolCallsRepository, { auditRetentionDays: days }: Settings) {
    if (days === 0) return;
    chores.add({ name: 'old records of tool calls', everySeconds: 3_600, run: () => calls.prune(days) });
  }
}
