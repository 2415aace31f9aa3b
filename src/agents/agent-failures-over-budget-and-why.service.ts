import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Settings } from '../platform/config/settings.js';
import { AgentFailure } from './agent.entity.js';
import { PERIOD_START } from './usage-figures.response.js';

/** SQL for the first day of the present period of a budget `b`, in UTC. */
export const BUDGET_PERIOD_START = `
  CASE b.period WHEN 'day' THEN ${PERIOD_START.day} WHEN 'month' THEN ${PERIOD_START.month} ELSE ${PERIOD_START.total} END`;

/**
 * Condition: an agent, a project or an issue is over its budget, which was reached in its present period and not raised since
 * (contract §7.8).
 * @param id SQL of its id
 */
export const isOverBudget = (id: string) => `
  EXISTS (SELECT 1 FROM budgets b WHERE b.scope_id = ${id} AND b.stopped_on = ${BUDGET_PERIOD_START})`;

/** A worker's report that it takes no more work until a person has acted (contract §7.1); `since` is as JSON has it. */
export type Failing = Pick<AgentFailure, 'worker' | 'reason'> & { since: string };

/** Condition: the failure `f` of an agent was reported again within the time of a lease. */
export const IS_FAILING = 'f.until > now()';

/** The reason as a sentence that another can follow. Workers send it with or without a full stop. */
export function asSentence(reason: string): string {
  return /[.!?…]$/.test(reason) ? reason : `${reason}.`;
}

/** Takes the place of a reason whose text may be about a project that its reader does not see. */
export const HIDDEN_REASON = 'A reason that only people who see all projects of the agent can read.';

/** Condition: the agent works in a members-only project `p` with the condition. Its worker may write about that one. */
export const worksHidden = (agentId: string, membership: string, condition: string) => `
  EXISTS (SELECT 1 FROM project_members own JOIN projects p ON p.id = own.project_id ${membership}
          WHERE own.agent_id = ${agentId} AND p.visibility = 'members' AND ${condition})`;

/** What a heartbeat says of its worker: `failing` is null while the worker takes work, `worker` where it has no name. */
interface WorkerReport {
  worker: string | null;
  failing: string | null;
}

/** Keeps which worker of an agent says that it takes no more work, for as long as a lease (contract §7.1). */
@Injectable()
export class AgentFailuresService {
  constructor(
    @InjectRepository(AgentFailure) private readonly failures: Repository<AgentFailure>,
    private readonly settings: Settings,
  ) {}

  /**
   * Stores or ends the failure of a worker. Any other report costs no statement.
   * @returns whether something was written
   */
  async update(
    { id, failing: known }: { id: string; failing: Failing | null },
    { worker, failing }: WorkerReport,
  ): Promise<boolean> {
    if (worker === null || (failing === null && known?.worker !== worker)) return false;
    if (failing === null) await this.failures.delete({ agentId: id, worker });
    else await this.report(id, worker, failing);
    return true;
  }

  /**
   * SQL: an upsert that decides by the row there is. The failure of another worker is kept while it lasts, and `since` stays
   * when a worker reports again.
   */
  private async report(agentId: string, worker: string, reason: string): Promise<void> {
    await this.failures.query(
      `INSERT INTO agent_failures AS f (agent_id, worker, reason, until)
       VALUES ($1, $2, $3, now() + make_interval(secs => $4))
       ON CONFLICT (agent_id) DO UPDATE SET worker = excluded.worker, reason = excluded.reason, until = excluded.until,
         since = CASE WHEN ${IS_FAILING} THEN f.since ELSE excluded.since END
       WHERE f.worker = excluded.worker OR NOT ${IS_FAILING}`,
      [agentId, worker, reason, this.settings.leaseSeconds],
    );
  }
}

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
