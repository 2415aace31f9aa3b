import { BUDGET_PERIOD_START } from '../../agents/agent-why.js';
import { seenByAgent } from '../projects/visibility.js';
import { isNotGivenBack } from './given-back-issues.repository.js';

/** Condition: the budget of the object was reached in its present period and not raised since. @param id SQL of its id */
export const isOverBudget = (id: string) => `
  EXISTS (SELECT 1 FROM budgets b WHERE b.scope_id = ${id} AND b.stopped_on = ${BUDGET_PERIOD_START})`;

/** Conditions on an issue `i`, its `lease` and an agent, whose id is SQL: it can go on, or begin. */
export const CAN_GO_ON = `i.status = 'InProgress' AND (lease.expires_at IS NULL OR lease.expires_at <= now())`;
export const canBegin = (agentId: string) => `i.status = 'Open' AND ${isNotGivenBack(agentId)}`;

/** The issues `i` of an agent in the projects `p` that it sees, with their `lease`. */
export const issuesOf = (agentId: string) => `
  issues i JOIN projects p ON p.id = i.project_id LEFT JOIN issue_leases lease ON lease.issue_id = i.id
  WHERE i.assigned_agent_id = ${agentId} AND NOT i.paused AND ${seenByAgent('p', agentId)}
    AND NOT ${isOverBudget(agentId)} AND NOT ${isOverBudget('i.project_id')}`;

/**
 * Condition: there is an issue to hand to the agent. Two queries, since the index holds each status on its own.
 * @param agentId SQL
 */
export const hasCandidate = (agentId: string) => `(
  EXISTS (SELECT 1 FROM ${issuesOf(agentId)} AND ${canBegin(agentId)}) OR
  EXISTS (SELECT 1 FROM ${issuesOf(agentId)} AND ${CAN_GO_ON}))`;

/** The leases `l` that still belong to their worker, with their issues `i` and projects `p`. @param agentId SQL */
export const goodLeases = (agentId: string) => `
  l.agent_id = ${agentId} AND l.expires_at IS NOT NULL
  AND i.id = l.issue_id AND i.assigned_agent_id = ${agentId} AND i.status = 'InProgress'
  AND p.id = i.project_id AND ${seenByAgent('p', agentId)}`;
