import { asSentence, type Failing } from './agent-failures.service.js';
import { PERIOD_START } from './usage-figures.response.js';

/** How an agent is, in the order in which one reason hides those after it; those that issues have too have the same names. */
export const agentReasons = [
  'agent_disabled',
  'halted',
  'budget',
  'agent_failing',
  'agent_never_seen',
  'agent_silent',
  'agent_full',
  'running',
  'ready',
] as const;
export type AgentReason = (typeof agentReasons)[number];

/** Why an agent gets no more work, or that it gets some, in a sentence for people (contract §4.2). */
export interface AgentWhy {
  reason: AgentReason;
  sentence: string;
}

/** What decides how an agent is. */
export interface AgentStanding {
  disabled: boolean;
  halt: { halted: boolean; reason: string | null };
  /** The budget of the agent itself, where its work is stopped. */
  budget: { period: 'day' | 'month' | 'total'; asked: boolean } | null;
  failing: Failing | null;
  lastHeartbeatAt: Date | null;
  silent: boolean;
  activeIssues: number;
  maxConcurrentIssues: number;
}

/** SQL for the first day of the present period of a budget `b`, in UTC. */
export const BUDGET_PERIOD_START = `
  CASE b.period WHEN 'day' THEN ${PERIOD_START.day} WHEN 'month' THEN ${PERIOD_START.month} ELSE ${PERIOD_START.total} END`;

/** The columns of `AgentStanding` over `agents a` that an agent has not itself. @param silence SQL of seconds */
export const standingColumns = (silence: string) => `
  (SELECT json_build_object('halted', halted, 'reason', reason) FROM agent_halt) AS halt,
  (SELECT json_build_object('period', b.period, 'asked', b.gate_id IS NOT NULL) FROM budgets b
   WHERE b.scope_id = a.id AND b.stopped_on = ${BUDGET_PERIOD_START}) AS budget,
  coalesce(a.last_heartbeat_at < now() - make_interval(secs => ${silence}), false) AS silent`;

const UNTIL = {
  day: 'until the day ends (UTC)',
  month: 'until the month ends (UTC)',
  total: 'until the limit is raised',
} as const;

/** Says that agents are halted, with the reason of the person who did it, and what ends it. */
export const haltSentence = (reason: string | null): string =>
  `All agents are halted${reason ? `: ${asSentence(reason)}` : '.'} An Admin has to end the halt.`;

const sentences: Record<AgentReason, (of: AgentStanding) => string | null> = {
  agent_disabled: ({ disabled }) =>
    disabled ? 'It is given neither work nor tools until an Admin enables it.' : null,
  halted: ({ halt: { halted, reason } }) => (halted ? haltSentence(reason) : null),
  budget: ({ budget }) =>
    budget &&
    `Its budget is used up, so it gets no work ${UNTIL[budget.period]}. An Admin has to ${budget.asked ? 'answer its gate' : 'raise the limit'} if it is to go on before that.`,
  agent_failing: ({ failing }) =>
    failing &&
    `It takes no new work: ${asSentence(failing.reason)} Correct that, then start its worker ${failing.worker} again.`,
  agent_never_seen: ({ lastHeartbeatAt }) =>
    lastHeartbeatAt === null ? 'It has not sent a heartbeat yet. Connect shows how it does.' : null,
  agent_silent: ({ silent }) =>
    silent ? 'It has sent no heartbeat for longer than a lease lasts. Check that it runs.' : null,
  agent_full: ({ activeIssues, maxConcurrentIssues }) =>
    activeIssues >= maxConcurrentIssues
      ? `It works on ${activeIssues} of ${maxConcurrentIssues}; more is handed out when one is finished.`
      : null,
  running: ({ activeIssues }) => (activeIssues > 0 ? 'It takes more work on its next heartbeat.' : null),
  ready: () => 'It takes work on its next heartbeat.',
};

export function agentWhyOf(standing: AgentStanding): AgentWhy {
  for (const reason of agentReasons) {
    const sentence = sentences[reason](standing);
    if (sentence !== null) return { reason, sentence };
  }
  throw new Error('The last reason always fits.');
}
