import { explanations, type Explanation, type Reason } from '../explain/explanations.js';
import type { IssueFacts } from '../explain/issue-facts.js';

/** The most blockers that a sentence names. An issue may have two thousand. */
export const BLOCKERS_NAMED = 5;

/** What an issue waits for: who has to act, or what has to end. */
export interface Cause {
  type: 'issue' | 'gate' | 'agent' | 'user';
  id: string;
  /** The key of an issue, the title of a gate, the name of a person or agent. */
  label: string;
}

/** Why no agent works on an issue, in one sentence (contract §5.2). */
export interface Why {
  reason: Reason;
  sentence: string;
  waitsFor: Cause[];
}

export function whyOf(facts: IssueFacts): Why {
  const explanation: Explanation & { reason: Reason } = explanations.find(({ fits }) => fits(facts))!;
  const { reason, next } = explanation;
  return { reason, sentence: next(facts), waitsFor: causesOf(explanation, facts) };
}

function causesOf({ reason, waitsFor }: Explanation, facts: IssueFacts): Cause[] {
  if (reason === 'waiting')
    return [
      ...facts.gates.map(({ id, title }) => ({ type: 'gate' as const, id, label: title })),
      ...facts.blockedBy.map(({ id, key }) => ({ type: 'issue' as const, id, label: key })),
    ];
  const party = waitsFor(facts);
  return party ? [{ type: party.type, id: party.id, label: party.name }] : [];
}
