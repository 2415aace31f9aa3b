import {
  HIDDEN_REASON,
  IS_FAILING,
  worksHidden,
} from '../../agents/agent-failures-over-budget-and-why.service.js';
import { BUDGET_PERIOD_START } from '../../agents/agent-failures-over-budget-and-why.service.js';
import type { UsagePeriod } from '../../agents/usage-figures.response.js';
import { isGivenBack } from '../issue-status/given-back-issues-and-attempts.repository.js';
import type { GateKind, Status } from '../issue-status/issue-status.js';
import { seenByAgent } from '../projects/visibility.js';

/** A person or an agent that has to act. */
export interface Party {
  type: 'user' | 'agent';
  id: string;
  name: string;
}

/** Why an issue blocks another one directly: by a link, or as its child. */
export const blockerKinds = ['blocker', 'child'] as const;

/** An unresolved issue that blocks another one. */
export interface Blocker {
  id: string;
  key: string;
  title: string;
  status: Status;
  kind: (typeof blockerKinds)[number];
}

/** A blocker that is not itself blocked, so that work on it can go on, with its assignee. */
export interface RootBlocker extends Omit<Blocker, 'kind'> {
  assignee: Party | null;
  /** The responsible person, also where an agent is the assignee. */
  person: Party | null;
  paused: boolean;
}

/** A budget that was reached in its present period and not raised since (contract §7.8). */
export interface StoppedBudget {
  scope: 'agent' | 'project';
  period: UsagePeriod;
  /** Its gate, which waits for an answer; null where none does. */
  gateId: string | null;
}

/** A decision or answer of a person that is missing. */
export interface OpenGate {
  id: string;
  kind: GateKind;
  title: string;
  /** The least role that may answer. */
  needsRole: 'Editor' | 'Admin';
}

/** The facts behind an explanation, read in one snapshot by the database's clock. */
export interface IssueFacts {
  status: Status;
  paused: boolean;
  attempts: number;
  agent: AgentFacts | null;
  person: Party | null;
  lease: { live: boolean; expiresAt: Date } | null;
  /** Its agent gave the issue back, or released it, and does not get it again until then. */
  heldOffUntil: Date | null;
  /** How often in a row its agent released it; 0 where it gave it back. */
  releases: number;
  /** Whether its work is finished, so that it goes to a review once it waits no more. */
  handedIn: boolean;
  halted: boolean;
  haltReason: string | null;
  /** That of the agent or of the project. The budget of an issue stops it by a gate. */
  budget: StoppedBudget | null;
  /** Those that hold the issue up: at most 20, oldest first. */
  gates: OpenGate[];
  /** At most 1,000, oldest first; empty unless the issue waits. */
  blockedBy: Blocker[];
  /** Whether `blockedBy` leaves some out. */
  moreBlockers?: boolean;
  /** At most 100, oldest first; empty where only the direct blockers were read. */
  rootBlockers: RootBlocker[];
  /** How many unresolved issues lie between those and `blockedBy`; 0 where only the direct blockers were read. */
  issuesBetween: number;
}

export interface AgentFacts extends Party {
  type: 'agent';
  disabled: boolean;
  retired: boolean;
  seesProject: boolean;
  maxConcurrentIssues: number;
  /** Live leases, over all issues. */
  activeIssues: number;
  /** Why a worker of it takes no more work; null when none reports that. */
  failure: string | null;
  lastHeartbeatAt: Date | null;
  /** Its last heartbeat is older than a lease lasts. */
  silent: boolean;
}

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
    SELECT json_agg(json_build_object('id', held.id, 'kind', held.kind, 'title', held.title,
      'needsRole', held.answer_role) ORDER BY held.created_at, held.id)
    FROM (SELECT g.id, g.kind, g.title, g.answer_role, g.created_at FROM gates g WHERE g.issue_id = i.id AND g.holds LIMIT 20) AS held), '[]') AS gates,
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
  (SELECT json_build_object('scope', b.scope, 'period', b.period, 'gateId', b.gate_id) FROM budgets b
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
