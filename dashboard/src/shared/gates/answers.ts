import type { AttentionAction, Gate } from '../../api/types';

/** What each form of an answer gets: the gate, and the calls that the service offers to this person. */
export interface AnswerProps {
  gate: Gate;
  calls: readonly AttentionAction[];
}

/** An answer that a person puts together, in the form of the calls that the service offers. */
export function answerTo({ id }: Gate, label: string, body: Record<string, unknown>): AttentionAction {
  return { label, method: 'POST', path: `/api/projects/gates/${id}/answer`, body, elevated: false };
}

/** Declines the question of a server, which learns that no person answers. */
export function withdrawalOf({ id }: Gate): AttentionAction {
  return {
    label: 'Decline',
    method: 'POST',
    path: `/api/projects/gates/${id}/withdraw`,
    body: null,
    elevated: false,
  };
}

/** The body of a decision on a call: only an approval has a scope, and an empty note is left out. */
export function decisionOf(decision: 'approve' | 'deny', scope: 'once' | 'issue', note: string) {
  const given = note.trim();
  return {
    decision,
    ...(decision === 'approve' && { scope }),
    ...(given !== '' && { note: given }),
  };
}
