import { HIDDEN_REASON, IS_FAILING, worksHidden } from '../../../agents/failures/failure.js';
import { seenByAgent } from '../../projects/visibility.js';
import { BUDGET_PERIOD_START } from '../../../agents/agent-why.js';
import { isGivenBack } from '../leases/given-back.js';
import type { IssueFacts } from './issue-facts.js';

/** Facts as a statement reads them: times that JSON would turn into texts are columns of their own. */
export type FactsRow = Omit<IssueFacts, 'lease'> & {
  leaseExpiresAt: Date | null;
  leaseLive: boolean;
  lastHeartbeatAt: Date | null;
};

/** The columns of an issue `i`, its `lease` and its person `u`. */
export const STANDING_FACTS = `
  i.status, i.paused, i.attempts,
  coalesce((
    SELECT json_agg(json_build_object('id', held.id, 'kind', held.kind, 'title', held.title) ORDER BY held.created_at, held.id)
    FROM (SELECT g.id, g.kind, g.title, g.created_at FROM gates g WHERE g.issue_id = i.id AND g.holds LIMIT 20) AS held), '[]') AS gates,
  CASE WHEN u.id IS NOT NULL THEN json_build_object('type', 'user', 'id', u.id, 'name', u.name) END AS person,
  lease.expires_at AS "leaseExpiresAt", lease.expires_at > now() AS "leaseLive",
  CASE WHEN ${isGivenBack('i.assigned_agent_id')} THEN i.given_back_until END AS "heldOffUntil", i.releases, i.handed_in AS "handedIn"`;

/** All who see the issue see its project, and not all of them another members-only one. */
const WORKS_ELSEWHERE = worksHidden('a.id', '', 'p.id <> i.project_id');

/**
 * The columns of the agent `a` that is assigned to an issue of project `p`, of the `halt`, and of the budget that stops it.
 * @param silence SQL of the seconds without a heartbeat after which an agent counts as silent
 * @param active SQL of how many live leases it has
 */
export const agentFacts = (silence: string, active: string) => `
  halt.halted, halt.reason AS "haltReason",
  (SELECT json_build_object('scope', b.scope, 'period', b.period, 'asked', b.gate_id IS NOT NULL) FROM budgets b
   WHERE b.scope_id = ANY(ARRAY[a.id, p.id]) AND b.stopped_on = ${BUDGET_PERIOD_START} ORDER BY b.scope LIMIT 1) AS budget,
  CASE WHEN a.id IS NOT NULL THEN json_build_object(
    'type', 'agent', 'id', a.id, 'name', a.name, 'disabled', a.disabled, 'retired', a.retired_at IS NOT NULL,
    'seesProject', ${seenByAgent('p', 'a.id')},
    'maxConcurrentIssues', a.max_concurrent_issues,
    'activeIssues', ${active},
    'failure', (SELECT CASE WHEN ${WORKS_ELSEWHERE} THEN '${HIDDEN_REASON}' ELSE f.reason END
                FROM agent_failures f WHERE f.agent_id = a.id AND ${IS_FAILING}),
    'silent', a.last_heartbeat_at < now() - make_interval(secs => ${silence})) END AS agent,
  a.last_heartbeat_at AS "lastHeartbeatAt"`;

export function factsOf<Row extends FactsRow>(row: Row) {
  const { leaseExpiresAt, leaseLive, lastHeartbeatAt, agent, ...facts } = row;
  const lease = leaseExpiresAt && { live: leaseLive, expiresAt: leaseExpiresAt };
  return { ...facts, lease, agent: agent && { ...agent, lastHeartbeatAt } };
}
