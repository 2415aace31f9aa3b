import type { Settings } from '../../platform/config/settings.js';
import type { MonthRule, Need } from '../../platform/partitions/kept-months.js';
import { DELIVERIES, JOURNAL } from '../../platform/partitions/partitions.js';

/** While webhooks are enabled, the feed turns each row into deliveries. */
const UNFED: Need = {
  because: 'a webhook has still to receive events of it',
  found: ({ from, to }) => `
    SELECT 1 FROM journal j WHERE j.position >= ${from} AND j.position < ${to}
      AND j.position > (SELECT position FROM webhook_feed) AND EXISTS (SELECT 1 FROM webhooks WHERE NOT disabled)`,
};

const PENDING: Need = {
  because: 'deliveries of its events are pending',
  found: ({ from, to }) => `
    SELECT 1 FROM webhook_deliveries WHERE event_position >= ${from} AND event_position < ${to} AND status = 'pending'`,
};

const DELIVERED: Need = {
  because: 'the log of deliveries still has its events',
  found: ({ from, to }) => `
    SELECT 1 FROM webhook_deliveries WHERE event_position >= ${from} AND event_position < ${to}`,
};

type Days = Pick<Settings, 'deliveryRetentionDays' | 'timelineRetentionDays'>;

/** The log of webhooks: a delivery lies in the month of its event. */
export const deliveriesRule = ({ deliveryRetentionDays: days }: Days): MonthRule => ({
  table: DELIVERIES,
  time: 'created_at',
  days,
  needs: [UNFED, PENDING],
});

/** The journal with the timelines of issues. An event can be delivered again as long as the log has its delivery. */
export const journalRule = ({ timelineRetentionDays: days }: Days): MonthRule => ({
  table: JOURNAL,
  time: 'created_at',
  days,
  needs: [UNFED, DELIVERED],
});
