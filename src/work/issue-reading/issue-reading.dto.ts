import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { type Role, roles } from '../../platform/authentication/principals-and-roles.js';
import { pick } from '../../platform/http/pick.js';
import { toWholeNumber } from '../../platform/http/validation.pipe.js';
import { type GateKind, gateKinds, type Status, statuses } from '../issue-status/issue-status.js';
import { explanations, neededOf, type Reason } from './reasons-and-sentences.js';
import type { IssueGroups, ProjectCounts } from './issue-groups-and-counts.repository.js';
import { blockerKinds, type IssueFacts } from './issue-facts.js';
import { NONE } from './issue-filter-and-order.js';
import { ActorResponse, AssigneeResponse, ExplainedIssueResponse } from './issue.response.js';
import { type TimelineRow, type TimelineType, timelineTypes } from './timeline.repository.js';

export class AgentWorkQuery {
  /** The most issues of each of the two lists. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 500, default: 100, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(500)
  limit: number = 100;
}

/** The issues of an agent that are not finished, as far as the caller sees them. */
export class AgentWorkResponse {
  @ApiProperty({ type: [ExplainedIssueResponse], description: 'Those that it holds a live lease of.' })
  running!: ExplainedIssueResponse[];
  @ApiProperty({
    type: [ExplainedIssueResponse],
    description:
      'The others in the order in which the agent gets them: `why` says why it has not got one yet. Those that it cannot get now come last.',
  })
  next!: ExplainedIssueResponse[];
}

const issues = (description?: string) =>
  ApiProperty({ type: 'integer', ...(description && { description }) });

/** What the issues in WaitingOnDependency wait for. */
export class WaitingCountsResponse {
  @issues('Those that wait for other issues alone.')
  onWork!: number;
  @issues('Those that wait for a decision or answer of a person.')
  onPerson!: number;
}

/** How many issues a project has in each status. */
export class IssueCountsResponse implements Record<Status, number> {
  @issues()
  Open!: number;
  @issues()
  InProgress!: number;
  @issues()
  WaitingOnDependency!: number;
  @issues()
  PendingReview!: number;
  @issues()
  Resolved!: number;
  @issues()
  Closed!: number;
  waiting!: WaitingCountsResponse;

  static from(found: { status: Status; issues: number }[], onPerson: number): IssueCountsResponse {
    const none = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;
    const counts = { ...none, ...Object.fromEntries(found.map((row) => [row.status, row.issues])) };
    const onWork = Math.max(0, counts.WaitingOnDependency - onPerson);
    return { ...counts, waiting: { onWork, onPerson } };
  }
}

/** The unfinished issues of a project, by status. */
export class ProjectCountsResponse {
  projectId!: string;
  @issues()
  Open!: number;
  @issues()
  InProgress!: number;
  @issues()
  WaitingOnDependency!: number;
  @issues()
  PendingReview!: number;
  waiting!: WaitingCountsResponse;

  static from(this: void, { projectId, counts, onPerson }: ProjectCounts): ProjectCountsResponse {
    const onWork = Math.max(0, counts.WaitingOnDependency - onPerson);
    return { projectId, ...counts, waiting: { onWork, onPerson } };
  }
}

/** Issues with the same status, agent, goal, label or parent, or that wait for the same issue. */
export class IssueGroupResponse {
  /**
   * What the filter of a list takes to find them: a status, an id, or `none`.
   * @example "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05"
   */
  value!: string;
  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'The name of the agent or label, or the title of the goal or issue; null for a status and for `none`.',
    example: 'Release notes writer',
  })
  name!: string | null;
  @ApiProperty({ type: 'string', nullable: true, description: 'The key of the issue.', example: 'DOCS-2' })
  key!: string | null;
  @ApiProperty({
    enum: statuses,
    enumName: 'Status',
    nullable: true,
    description: 'The status of the issue.',
  })
  status!: Status | null;
  @issues()
  issues!: number;
}

/** How many issues match a filter, by what they have. */
export class IssueGroupsResponse {
  @ApiProperty({ type: [IssueGroupResponse] })
  groups!: IssueGroupResponse[];
  @issues('How many match.')
  total!: number;
  @ApiProperty({ description: 'Whether counting stopped, so that there are more issues or groups.' })
  capped!: boolean;

  static from({ groups, total, capped }: IssueGroups): IssueGroupsResponse {
    const response = groups.map(({ value, name = null, key = null, status = null, issues: count }) => ({
      value: value ?? NONE,
      name,
      key,
      status,
      issues: count,
    }));
    return { groups: response, total, capped };
  }
}

/** One event of an issue's timeline. */
export class ActivityResponse {
  /** @example "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a10" */
  id!: string;
  issueId!: string;
  @ApiProperty({ enum: timelineTypes, enumName: 'ActivityType', example: 'issue.status_changed' })
  type!: TimelineType;
  actor!: ActorResponse;
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description:
      'Depends on the type. `issue.updated` has each field with `old` and `new`, `issue.status_changed` also its `cause`; ' +
      '`comment.created` has the `content` while the comment exists and `editedAt` where it was changed, `issue.tools_called` ' +
      'the `calls`, `failed` ones and `tools` of one turn, a `gate` its `title`, and `gate.answered` the `answer`.',
    example: { old: 'Open', new: 'InProgress', cause: 'picked_up' },
  })
  data!: Record<string, unknown>;
  createdAt!: Date;

  static from(row: TimelineRow): ActivityResponse {
    return {
      ...pick(row, 'id', 'issueId', 'type'),
      actor: { type: row.actorType, id: row.actorId, name: row.actorName },
      ...pick(row, 'data', 'createdAt'),
    };
  }
}

class BlockingIssueResponse {
  id!: string;
  /** @example "DOCS-2" */
  key!: string;
  /** @example "Collect the merged work" */
  title!: string;
  @ApiProperty({ enum: statuses, enumName: 'Status' })
  status!: Status;
}

/** An unresolved issue that blocks this one. */
export class BlockerResponse extends BlockingIssueResponse {
  @ApiProperty({ enum: blockerKinds, description: 'Whether a link makes it wait, or a sub-issue.' })
  kind!: (typeof blockerKinds)[number];
}

/** An unresolved issue that is not itself blocked. */
export class RootBlockerResponse extends BlockingIssueResponse {
  @ApiProperty({ type: AssigneeResponse, nullable: true })
  assignee!: AssigneeResponse | null;
}

/** A decision or answer of a person that an issue waits for. */
export class OpenGateResponse {
  id!: string;
  @ApiProperty({ enum: gateKinds, enumName: 'GateKind' })
  kind!: GateKind;
  /** @example "Which quarter should the report cover?" */
  title!: string;
  @ApiProperty({ enum: roles, enumName: 'Role', description: 'The least role that may answer.' })
  needsRole!: Role;
}

/** Why no agent works on an issue. */
export class ExplainResponse {
  /** Whether an agent works on the issue now. */
  running!: boolean;
  @ApiProperty({
    enum: explanations.map(({ reason }) => reason),
    enumName: 'ExplainReason',
    example: 'agent_silent',
  })
  reason!: Reason;
  @ApiProperty({ type: [OpenGateResponse], description: 'The decisions and answers that it waits for.' })
  gates!: OpenGateResponse[];
  @ApiProperty({ type: [BlockerResponse], description: 'The issues that block it directly.' })
  blockedBy!: BlockerResponse[];
  @ApiProperty({
    type: [RootBlockerResponse],
    description: 'The issues at the ends of all chains of blockers, which can be worked on now.',
  })
  rootBlockers!: RootBlockerResponse[];
  /**
   * How many unresolved issues lie between `rootBlockers` and `blockedBy`, and are in neither.
   * @example 18
   */
  issuesBetween!: number;
  @ApiProperty({
    type: AssigneeResponse,
    nullable: true,
    description: 'Who must act; null when anyone may, or no one needs to.',
  })
  waitsFor!: AssigneeResponse | null;
  @ApiProperty({
    enum: roles,
    enumName: 'Role',
    nullable: true,
    description: 'The least role that may do what has to be done; null where no person has to act.',
  })
  needsRole!: Role | null;
  /** The gate whose answer lets the work go on; null where none does. Who may see it is decided by the gate. */
  gateId!: string | null;
  /**
   * What happens next, or what a person has to do for it.
   * @example "Release notes writer has sent no heartbeat since 2026-11-21T09:30:00.000Z. Check that it runs; it picks the issue up with its next one."
   */
  next!: string;

  static from(facts: IssueFacts): ExplainResponse {
    const { reason, waitsFor, next } = explanations.find(({ fits }) => fits(facts))!;
    const { gates, blockedBy, issuesBetween } = facts;
    const rootBlockers = facts.rootBlockers.map((root) =>
      pick(root, 'id', 'key', 'title', 'status', 'assignee'),
    );
    const running = reason === 'running';
    return {
      ...{ running, reason, gates, blockedBy, rootBlockers, issuesBetween },
      waitsFor: waitsFor(facts),
      ...neededOf(reason, facts),
      next: next(facts),
    };
  }
}
