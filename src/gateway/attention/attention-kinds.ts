import { decodeCursor, notACursor } from '../../platform/http/page-and-cursor.query.js';

/** The sort key of an item: most blocked issues first. */
export type Position = [number, number, string, string];

/** The name of the order, to which cursors are tied. */
export const BY_BLOCKED = 'attention';

/**
 * What needs a person is listed by how many issues wait for it, then by severity, then by since when (contract §8.7).
 * @param item the SQL name of rows that have these columns, followed by a dot; empty for columns without a name
 */
export const byBlocked = (item: string): string =>
  `-${item}issues, ${item}severity, ${item}since, ${item}key`;

const INT_MAX = 2_147_483_647;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;

/**
 * Returns the position that a cursor names. A cursor carries no signature, and the statement that reads the page serves
 * other callers too: a value that the database rejects would fail their requests as well.
 * @throws {ValidationFailed}
 */
export function positionIn(cursor: string): Position {
  const [issues, severity, since, key, ...more] = decodeCursor(cursor, BY_BLOCKED);
  const instant = typeof since === 'string' && INSTANT.test(since) ? Date.parse(since) : NaN;
  if (!isInt(issues) || !isInt(severity) || !(instant >= 0) || typeof key !== 'string' || more.length > 0)
    throw notACursor();
  return [issues, severity, new Date(instant).toISOString(), key];
}

function isInt(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= INT_MAX;
}

/** What needs a person (contract §8.7). */
export const attentionKinds = [
  'gate',
  'review',
  'exhausted',
  'stuck',
  'released',
  'server_error',
  'tools_changed',
  'agent_failing',
  'agent_silent',
  'credential',
  'sign_in',
  'webhook_disabled',
  'schedule_failing',
  'key_expiring',
  'budget_near',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/**
 * What a person does about it: answers, looks at finished work, or finds out why something does not work. The tabs of the
 * list (contract §8.7).
 */
export const tabs = ['decide', 'review', 'broken'] as const;
export type Tab = (typeof tabs)[number];

export const TAB_OF: Record<AttentionKind, Tab> = {
  gate: 'decide',
  budget_near: 'decide',
  review: 'review',
  exhausted: 'review',
  stuck: 'broken',
  released: 'broken',
  server_error: 'broken',
  tools_changed: 'broken',
  agent_failing: 'broken',
  agent_silent: 'broken',
  credential: 'broken',
  sign_in: 'broken',
  webhook_disabled: 'broken',
  schedule_failing: 'broken',
  key_expiring: 'broken',
};

/** The most serious first: the order within items that block equally many issues. */
export const severities = ['blocking', 'degraded', 'notice'] as const;
export type Severity = (typeof severities)[number];

/** The severity of a kind; `blocking` where it depends on whether something waits. */
export const SEVERITY_OF: Record<AttentionKind, Severity> = {
  gate: 'blocking',
  review: 'blocking',
  exhausted: 'blocking',
  stuck: 'blocking',
  released: 'degraded',
  server_error: 'degraded',
  tools_changed: 'degraded',
  agent_failing: 'degraded',
  agent_silent: 'degraded',
  credential: 'degraded',
  sign_in: 'degraded',
  webhook_disabled: 'degraded',
  schedule_failing: 'degraded',
  key_expiring: 'notice',
  budget_near: 'notice',
};

/** SQL: the rank of a cause's severity, the most serious first. */
export function severityRank(): string {
  const cases = Object.entries(SEVERITY_OF).map(
    ([kind, severity]) => `WHEN '${kind}' THEN ${severities.indexOf(severity)}`,
  );
  return `CASE cause.kind ${cases.join(' ')} END`;
}
