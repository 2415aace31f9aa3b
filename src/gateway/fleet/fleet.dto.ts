import { ApiProperty, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate } from 'class-validator';
import { AgentFailureResponse, SeenAgentResponse } from '../../agents/agent.dto.js';
import { type UsagePeriod, UsageFiguresResponse } from '../../agents/usage-figures.response.js';
import { pick } from '../../platform/http/pick.js';
import { INSTANT_MESSAGE, toInstant } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { budgetPeriods, type Measure } from '../../work/budgets/budget-limits-and-amounts.js';
import { BudgetFiguresResponse } from '../../work/budgets/budget.dto.js';
import { type GateState, gateStates, type Status, statuses } from '../../work/issue-status/issue-status.js';
import type { AgentToday, TodayRow } from './agent-today.service.js';
import type { BudgetOfAgent, CurrentIssue, Fleet, FleetAgent } from './fleet.service.js';

export class SinceQuery {
  /** The instant from which on it counts, at most 7 days ago; rounded down to a whole hour. Absent: since midnight, UTC. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  since?: Date;
}

const limit = { type: 'integer', nullable: true } as const;

/** The limits of a budget with what was added in the present period; null for what it does not limit. */
export class BudgetLimitsResponse implements Record<Measure, number | null> {
  @ApiProperty({ ...limit, example: 2_000_000 })
  tokens!: number | null;
  @ApiProperty({ ...limit, example: 5_000_000 })
  costMicros!: number | null;
  @ApiProperty({ ...limit, example: null })
  turns!: number | null;
  @ApiProperty({ ...limit, example: null })
  toolCalls!: number | null;
  @ApiProperty({ ...limit, example: null })
  wallSeconds!: number | null;
}

/** The budget of an agent in its present period. */
export class AgentBudgetResponse {
  @ApiProperty({ enum: budgetPeriods, example: 'day' })
  period!: UsagePeriod;
  used!: BudgetFiguresResponse;
  limits!: BudgetLimitsResponse;
  /** Whether a limit is reached, so that the agent gets no work. */
  stopped!: boolean;

  static from(budget: BudgetOfAgent | null): AgentBudgetResponse | null {
    return budget && pick(budget, 'period', 'used', 'limits', 'stopped');
  }
}

/** An issue that an agent holds a live lease of. */
export class CurrentIssueResponse {
  id!: string;
  /** @example DOCS-12 */
  key!: string;
  /** @example "Write the release notes" */
  title!: string;
  /** When it came into progress. */
  since!: Date;
  /**
   * The last line of output that its worker reported, at most 200 characters; null where it reported none.
   * @example "Writing the notes."
   */
  line!: string | null;

  static from(issue: CurrentIssue | null): CurrentIssueResponse | null {
    return issue && { ...pick(issue, 'id', 'key', 'title', 'line'), since: new Date(issue.since) };
  }
}

const counted = (description: string, example: number) =>
  ApiProperty({ type: 'integer', description, example });

/** What an agent does now, and what it has done since the beginning of the window, as far as the caller sees it. */
export class FleetAgentResponse extends PickType(SeenAgentResponse, [
  'id',
  'name',
  'description',
  'maxConcurrentIssues',
  'disabled',
  'lastHeartbeatAt',
  'activeIssues',
  'why',
] as const) {
  @ApiProperty({
    type: AgentFailureResponse,
    nullable: true,
    description: 'Why a worker of the agent takes no more work; null when none reports that.',
  })
  failing!: AgentFailureResponse | null;
  @ApiProperty({
    type: CurrentIssueResponse,
    nullable: true,
    description: 'Of the issues that it works on, the one whose worker reported last.',
  })
  current!: CurrentIssueResponse | null;
  usage!: UsageFiguresResponse;
  @counted('The issues that it handed in, resolved or closed, each counted once.', 3)
  finished!: number;
  @counted('The tool calls that ended with an error, or were refused.', 1)
  toolErrors!: number;
  @counted('Its open questions and approvals, and the gate of its budget: what waits for a person.', 1)
  waiting!: number;
  @ApiProperty({
    type: AgentBudgetResponse,
    nullable: true,
    description: 'null without a budget, and to callers below Admin.',
  })
  budget!: AgentBudgetResponse | null;
  @ApiProperty({
    type: [Number],
    description: 'Turns and tool calls in each of the last 24 hours, the present one last.',
    example: [0, 4, 12],
  })
  activity!: number[];

  static from(row: FleetAgent): FleetAgentResponse {
    return {
      ...pick(row, 'id', 'name', 'description', 'maxConcurrentIssues', 'disabled', 'lastHeartbeatAt'),
      ...pick(row, 'activeIssues', 'why', 'usage', 'finished', 'toolErrors', 'waiting', 'activity'),
      failing: row.failing && { ...row.failing, since: new Date(row.failing.since) },
      current: CurrentIssueResponse.from(row.current),
      budget: AgentBudgetResponse.from(row.budget),
    };
  }
}

/** The sums of all agents that are listed. */
export class FleetSumsResponse {
  @counted('How many agents there are: those at work, idle, stopped and silent together.', 12)
  agents!: number;
  @counted('Agents with the reason running or agent_full.', 5)
  atWork!: number;
  @counted('Agents with the reason ready.', 4)
  idle!: number;
  @counted('Agents that get no work until a person acts: agent_disabled, halted, budget, agent_failing.', 2)
  stopped!: number;
  @counted('Agents with the reason agent_silent or agent_never_seen.', 1)
  silent!: number;
  @counted('What waits for a person.', 3)
  waiting!: number;
  @counted('The issues that agents finished, each counted once per agent.', 9)
  finished!: number;
  @counted('The tool calls that ended with an error, or were refused.', 2)
  toolErrors!: number;
  usage!: UsageFiguresResponse;
}

/** All agents at a glance. */
export class FleetResponse {
  /** The beginning of the window, a whole hour. */
  since!: Date;
  sums!: FleetSumsResponse;
  @ApiProperty({ type: [FleetAgentResponse], description: 'All agents that are not retired, oldest first.' })
  agents!: FleetAgentResponse[];

  static from({ since, sums, agents }: Fleet): FleetResponse {
    return { since, sums, agents: agents.map(FleetAgentResponse.from) };
  }
}

/** An issue that an agent worked on. */
export class TodaysIssueResponse {
  id!: string;
  /** @example DOCS-12 */
  key!: string;
  /** @example "Write the release notes" */
  title!: string;
  @ApiProperty({ enum: statuses, enumName: 'Status', description: 'Its present status.' })
  status!: Status;
}

/** A tool that an agent called. */
export class CalledToolResponse {
  /** @example GitHub */
  server!: string;
  /** @example create_branch */
  tool!: string;
  @counted('All calls, refused ones too.', 4)
  calls!: number;
  @counted('Those that ended with an error, or were refused.', 0)
  errors!: number;
}

/** What an agent did on one issue since the beginning of the window, or without an issue. */
export class AgentTodayRowResponse {
  /** null for what was done without an issue. */
  issueId!: string | null;
  @ApiProperty({
    type: TodaysIssueResponse,
    nullable: true,
    description: 'null without an issue, and where it was deleted.',
  })
  issue!: TodaysIssueResponse | null;
  /** When the agent first picked it up. */
  pickedUpAt!: Date | null;
  /** When the agent last handed it in, resolved or closed it. */
  finishedAt!: Date | null;
  @ApiProperty({ enum: statuses, enumName: 'Status', nullable: true })
  finishedAs!: Status | null;
  @counted('Its questions and requests for approval.', 1)
  asked!: number;
  @counted('All tool calls, refused ones too.', 9)
  calls!: number;
  @counted('Those that ended with an error, or were refused.', 1)
  toolErrors!: number;
  @ApiProperty({ type: [CalledToolResponse], description: 'The 5 tools with the most calls.' })
  tools!: CalledToolResponse[];
  usage!: UsageFiguresResponse;

  static from({ tools, ...row }: TodayRow): AgentTodayRowResponse {
    return {
      ...pick(row, 'issueId', 'issue', 'pickedUpAt', 'finishedAt', 'finishedAs'),
      ...pick(row, 'asked', 'calls', 'toolErrors', 'usage'),
      tools: tools.map((tool) => pick(tool, 'server', 'tool', 'calls', 'errors')),
    };
  }
}

/** What an agent asked a person. */
export class AskedResponse {
  /** Of the gate. */
  id!: string;
  @ApiProperty({ enum: ['question', 'approval'] })
  kind!: 'question' | 'approval';
  /** @example "Which quarter should the report cover?" */
  title!: string;
  @ApiProperty({ enum: gateStates, enumName: 'GateState' })
  state!: GateState;
  /** @example DOCS-12 */
  issueKey!: string | null;
  createdAt!: Date;
  closedAt!: Date | null;
}

/** The sums of all issues, those that are not listed too, and of what was done without an issue. */
export class AgentTodaySumsResponse {
  @counted('The issues that the agent had to do with.', 6)
  issues!: number;
  @counted('The issues that it picked up.', 4)
  pickedUp!: number;
  @counted('The issues that it handed in, resolved or closed.', 3)
  finished!: number;
  @counted('Its questions and requests for approval.', 1)
  asked!: number;
  @counted('All tool calls, refused ones too.', 120)
  calls!: number;
  @counted('Those that ended with an error, or were refused.', 2)
  toolErrors!: number;
  usage!: UsageFiguresResponse;
}

/** What an agent did since the beginning of the window, as far as the caller sees it. */
export class AgentTodayResponse {
  /** The beginning of the window, a whole hour. */
  since!: Date;
  sums!: AgentTodaySumsResponse;
  @ApiProperty({
    type: [Number],
    description: 'Turns and tool calls in each of the last 24 hours, the present one last.',
    example: [0, 4, 12],
  })
  activity!: number[];
  @ApiProperty({
    type: AgentBudgetResponse,
    nullable: true,
    description: 'null without a budget, and to callers below Admin.',
  })
  budget!: AgentBudgetResponse | null;
  @ApiProperty({
    type: [AgentTodayRowResponse],
    description: 'The latest first, at most 200; what was done without an issue comes last.',
  })
  issues!: AgentTodayRowResponse[];
  @ApiProperty({ type: [AskedResponse], description: 'The newest first, at most 200.' })
  asked!: AskedResponse[];

  static from({ since, sums, activity, budget, issues, asked }: AgentToday): AgentTodayResponse {
    return {
      ...{ since, sums, activity, budget: AgentBudgetResponse.from(budget) },
      issues: issues.map(AgentTodayRowResponse.from),
      asked: asked.map(({ at, ...gate }) => ({
        ...pick(gate, 'id', 'kind', 'title', 'state', 'issueKey', 'closedAt'),
        createdAt: at,
      })),
    };
  }
}
