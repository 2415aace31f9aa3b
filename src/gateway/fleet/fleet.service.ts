import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type AgentReason, type AgentWhy, agentWhyOf } from '../../agents/agent-why.js';
import { Agent } from '../../agents/agent.entity.js';
import { AgentRepository, type StandingAgentRow } from '../../agents/agent.repository.js';
import { sumOf, type UsageFigures } from '../../agents/usage-figures.response.js';
import { isAtLeast, type Principal } from '../../platform/authentication/principals-and-roles.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import {
  ACTIVITY_HOURS,
  type BudgetOfAgent,
  type CurrentIssue,
  FleetRepository,
  type UsedRow,
} from './fleet.repository.js';

const HOUR_MS = 3_600_000;

/** The longest window: a week, which one reads in a moment and which covers a weekend. */
const MOST_DAYS = 7;

/** What a window begins with: usage is counted in whole hours, so that everything else is counted from there too. */
export function windowFrom(given: Date | undefined, now = Date.now()): Date {
  if (given === undefined) return new Date(new Date(now).setUTCHours(0, 0, 0, 0));
  if (given.getTime() > now || given.getTime() < now - MOST_DAYS * 24 * HOUR_MS)
    throw new ValidationFailed([
      { path: 'since', message: `must lie in the past, by at most ${MOST_DAYS} days` },
    ]);
  return new Date(Math.floor(given.getTime() / HOUR_MS) * HOUR_MS);
}

/** One agent of the fleet. */
export interface FleetAgent extends Omit<StandingAgentRow, 'budget'> {
  why: AgentWhy;
  activeIssues: number;
  current: CurrentIssue | null;
  usage: UsageFigures;
  activity: number[];
  finished: number;
  toolErrors: number;
  waiting: number;
  budget: BudgetOfAgent | null;
}

/** In which of the counts of the fleet an agent is, by its reason. */
const standings = {
  running: 'atWork',
  agent_full: 'atWork',
  ready: 'idle',
  agent_disabled: 'stopped',
  halted: 'stopped',
  budget: 'stopped',
  agent_failing: 'stopped',
  agent_never_seen: 'silent',
  agent_silent: 'silent',
} as const satisfies Record<AgentReason, string>;

export type FleetSums = Record<(typeof standings)[AgentReason], number> &
  Record<'agents' | 'finished' | 'toolErrors' | 'waiting', number> & { usage: UsageFigures };

export interface Fleet {
  since: Date;
  sums: FleetSums;
  agents: FleetAgent[];
}

/** Of an agent that used nothing. */
export const nothing: Pick<UsedRow, 'usage' | 'activity'> = {
  usage: sumOf([]),
  activity: Array<number>(ACTIVITY_HOURS).fill(0),
};

/** Shows what all agents do and have done, as far as the caller sees it (contract §4.2). */
@Injectable()
export class FleetService {
  constructor(
    @InjectRepository(Agent) private readonly agents: AgentRepository,
    private readonly fleet: FleetRepository,
  ) {}

  /** @throws {ValidationFailed} for a window that is too long, or begins in the future */
  async of(caller: Principal, given?: Date): Promise<Fleet> {
    const since = windowFrom(given);
    const standing = await this.agents.listStanding(caller);
    const used = byAgent(await this.fleet.used(caller, since));
    const work = byAgent(await this.fleet.work(caller));
    const finished = byAgent(await this.fleet.finished(caller, since));
    const errors = byAgent(await this.fleet.toolErrors(caller, since));
    const waiting = byAgent(await this.fleet.waiting(caller));
    const budgets = byAgent(seesBudgets(caller) ? await this.fleet.budgets() : []);
    const agents = standing.map((row): FleetAgent => {
      const { activeIssues = 0, current = null } = work.get(row.id) ?? {};
      const { usage, activity } = used.get(row.id) ?? nothing;
      return {
        ...row,
        ...{ activeIssues, current, usage, activity, why: agentWhyOf({ ...row, activeIssues }) },
        finished: finished.get(row.id)?.finished ?? 0,
        toolErrors: errors.get(row.id)?.toolErrors ?? 0,
        waiting: waiting.get(row.id)?.waiting ?? 0,
        budget: budgets.get(row.id) ?? null,
      };
    });
    return { since, sums: sumsOf(agents), agents };
  }
}

const byAgent = <Row extends { agentId: string }>(rows: Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.agentId, row]));

/** The budget of an agent counts what it uses in all projects, and so is for those who see all of them (contract §7.8). */
export const seesBudgets = (caller: Principal): boolean =>
  caller.type === 'user' && isAtLeast(caller.role, 'Admin');

export const total = <Row>(rows: readonly Row[], of: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

function sumsOf(agents: FleetAgent[]): FleetSums {
  const sums = { atWork: 0, idle: 0, stopped: 0, silent: 0 };
  for (const { why } of agents) sums[standings[why.reason]] += 1;
  return {
    ...sums,
    agents: agents.length,
    finished: total(agents, ({ finished }) => finished),
    toolErrors: total(agents, ({ toolErrors }) => toolErrors),
    waiting: total(agents, ({ waiting }) => waiting),
    usage: sumOf(agents.map(({ usage }) => usage)),
  };
}
