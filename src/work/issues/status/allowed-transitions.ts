import type { Principal } from '../../../platform/auth/principal.js';
import { allowedToAgent, allowedTransitions, type Standing, type Status } from './issue-status.js';

/** Returns what the caller may set by PUT: an agent changes only the issues that are assigned to it. */
export function allowedTransitionsOf(
  issue: Standing & { assignedAgentId: string | null },
  caller: Principal,
): readonly Status[] {
  if (caller.type === 'user') return allowedTransitions(issue);
  return issue.assignedAgentId === caller.id ? allowedToAgent(issue) : [];
}
