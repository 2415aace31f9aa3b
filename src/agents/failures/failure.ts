/** A worker's report that it takes no more work until a person has acted (contract §7.1). */
export interface AgentFailure {
  worker: string;
  reason: string;
  /** As JSON has it. */
  since: string;
}

/** Condition: the failure `f` of an agent was reported again within the time of a lease. */
export const IS_FAILING = 'f.until > now()';

/** The reason as a sentence that another can follow. Workers send it with or without a full stop. */
export function asSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
