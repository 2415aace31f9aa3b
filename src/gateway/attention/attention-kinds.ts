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
  'key_expiring',
  'budget_near',
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

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
  key_expiring: 'notice',
  budget_near: 'notice',
};
