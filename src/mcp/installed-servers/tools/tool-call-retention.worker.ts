import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import type { MonthRule } from '../../../platform/partitions/month-rules.js';
import { MonthRetentionService } from '../../../platform/partitions/month-retention.service.js';
import { TOOL_CALLS } from '../../../platform/partitions/partitioned-tables.js';

export const toolCallsRule = ({
  auditRetentionDays: days,
}: Pick<Settings, 'auditRetentionDays'>): MonthRule => ({
  table: TOOL_CALLS,
  time: 'called_at',
  days,
  needs: [],
});

/** Drops old months of records of tool calls after AUDIT_RETENTION_DAYS (contract §8.9); the journal keeps its entries. */
@Injectable()
export class ToolCallRetentionWorker {
  constructor(months: MonthRetentionService, settings: Settings) {
    months.keep(toolCallsRule(settings));
  }
}
