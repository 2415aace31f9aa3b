/** One event of GET /api/events, as the contract's §8 describes it. */
export interface LiveEvent {
  id: string;
  type: string;
  at: string;
  projectId: string | null;
  actor: { type: string; id: string | null; name: string | null };
  subject: { type: string; id: string | null };
  data: Record<string, unknown>;
}

/** Whether the page receives changes: not yet, now, or not any more since a time. */
export type LiveState = { phase: 'connecting' } | { phase: 'live' } | { phase: 'lost'; since: number };
