import { Injectable } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import type { MonthRule } from '../../platform/partitions/kept-months.js';
import { MonthRetentionService } from '../../platform/partitions/month-retention.service.js';
import { USAGE_HOURS, USAGE_REPORTS } from '../../platform/partitions/partitions.js';

export const usageRules = ({
  usageRetentionDays: days,
}: Pick<Settings, 'usageRetentionDays'>): MonthRule[] => [
  { table: USAGE_REPORTS, time: 'at', days, needs: [] },
  { table: USAGE_HOURS, time: 'hour', days, needs: [] },
];

/** Drops old months of reports and of sums per hour after USAGE_RETENTION_DAYS (contract §8.9). The totals stay. */
@Injectable()
export class UsageRetentionWorker {
  constructor(months: MonthRetentionService, settings: Settings) {
    for (const rule of usageRules(settings)) months.keep(rule);
  }
}
