import type { AttentionKind } from './attention-kinds.js';
import { causesOf } from './causes-sql.js';

/**
 * A cause may be gone for as long as this and its snooze holds when it comes back (contract §8.7): the snoozes of causes that
 * are gone are removed so often.
 */
export const LONGEST_BREAK_SECONDS = 600;

/** The kinds whose `since` is that of the last look or change, so that a later one is no new cause. */
const KINDS_LOOKED_AT_AGAIN: readonly AttentionKind[] = [
  'budget_near',
  'server_error',
  'tools_changed',
  'credential',
  'sign_in',
  'webhook_disabled',
];

/** What the callers have snoozed, by an index. */
export const SNOOZES = `
  snooze AS MATERIALIZED (
    SELECT s.* FROM attention_snoozes s WHERE s.user_id IN (SELECT id FROM asker) AND s.until > now())`;

/** Condition: the cause `r` is the one that the snooze `s` is about, and not a new one under the same id. */
const IS_SAME = `s.cause = r.key AND (r.since <= s.since OR r.kind IN (${KINDS_LOOKED_AT_AGAIN.map((kind) => `'${kind}'`).join(', ')}))`;

/** Condition: the snooze `s` holds for the cause `r`, for which no more issues wait than then and which is no more serious. */
export const HOLDS = `${IS_SAME} AND r.issues <= s.issues AND r.severity >= s.severity`;

/** Removes the snoozes whose time is over, and those whose cause is gone. */
export const sweepSql = `
  WITH ${causesOf({})}
  DELETE FROM attention_snoozes WHERE (user_id, cause) IN (
    SELECT s.user_id, s.cause FROM attention_snoozes s LEFT JOIN cause r ON ${IS_SAME}
    WHERE r.key IS NULL OR s.until <= now())`;
