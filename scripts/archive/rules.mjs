import {
  deliveriesRule,
  journalRule,
} from '../../dist/src/gateway/event-stream/timeline-journal-and-delivery-retention.worker.js';
import { toolCallsRule } from '../../dist/src/mcp/server-tools/tool-call-records-and-retention.repository.js';
import { usageRules } from '../../dist/src/work/usage/usage-sums-batches-and-retention.worker.js';

/** The rules of all tables by month. Deliveries come before the journal, which has to keep their events. */
export function rulesOf(settings) {
  return [deliveriesRule(settings), journalRule(settings), toolCallsRule(settings), ...usageRules(settings)];
}
