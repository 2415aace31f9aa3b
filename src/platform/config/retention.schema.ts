import { z } from 'zod';
import { count } from './setting-rules.js';

/** How long rows are kept (contract §8.9). */
export const retentionSettings = {
  AUDIT_RETENTION_DAYS: count(0, 36_500)
    .default(0)
    .describe('Days after which a month of records of tool calls is dropped; 0 keeps them forever.'),
  USAGE_RETENTION_DAYS: count(0, 36_500)
    .default(0)
    .describe(
      'Days after which a month of usage reports and of sums per hour is dropped; 0 keeps them forever. Totals stay.',
    ),
  JOURNAL_RETENTION_DAYS: count(0, 36_500)
    .default(0)
    .describe('Days after which journal entries that belong to no issue are deleted; 0 keeps them forever.'),
  DELIVERY_RETENTION_DAYS: count(1, 36_500)
    .default(30)
    .describe('Days after which a month of deliveries of webhooks is dropped.'),
  TIMELINE_RETENTION_DAYS: count(0, 36_500)
    .default(0)
    .describe(
      'Days after which a month of the journal is dropped, with the timelines of issues; 0 keeps them forever. Needs JOURNAL_RETENTION_DAYS.',
    ),
  RETENTION_ARCHIVE: z
    .enum(['off', 'on'])
    .default('off')
    .describe('on: a month is dropped by age only once npm run archive has stored it.'),
};
