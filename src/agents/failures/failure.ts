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

/** Takes the place of a reason whose text may be about a project that its reader does not see. */
export const HIDDEN_REASON = 'A reason that only people who see all projects of the agent can read.';

/** Condition: the agent works in a members-only project `p` with the condition. Its worker may write about that one. */
export const worksHidden = (agentId: string, membership: string, condition: string) => `
  EXISTS (SELECT 1 FROM project_members own JOIN projects p ON p.id = own.project_id ${membership}
          WHERE own.agent_id = ${agentId} AND p.visibility = 'members' AND ${condition})`;
