import { ApiProperty } from '@nestjs/swagger';
import type { IssueRow } from '../issue-row.js';
import { allowedTransitions, statuses, type Status } from '../issue-status.js';
import { priorities, priorityName, type Priority } from '../priority.js';
import { LinkResponse } from './link.response.js';

/** Who did something: a user, an agent, or the service itself. */
export class ActorResponse {
  @ApiProperty({ enum: ['user', 'agent', 'system'] })
  type!: 'user' | 'agent' | 'system';
  id!: string | null;
  /** @example "Ada Lovelace" */
  name!: string;
}

/** Who has the issue: the agent where one is assigned, else the person. */
export class AssigneeResponse {
  @ApiProperty({ enum: ['agent', 'user'] })
  type!: 'agent' | 'user';
  id!: string;
  /** @example "Release notes writer" */
  name!: string;
}

/** That an agent works on the issue now. */
export class LeaseResponse {
  expiresAt!: Date;
}

/** An issue without what can be long: what a list with `fields=summary` holds. */
export class IssueSummaryResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
  id!: string;
  /** @example DOCS-12 */
  key!: string;
  projectId!: string;
  /** @example "Write the release notes" */
  title!: string;
  @ApiProperty({ enum: statuses, enumName: 'Status' })
  status!: Status;
  @ApiProperty({
    enum: statuses,
    enumName: 'Status',
    isArray: true,
    description: 'What a user may set by PUT from here.',
  })
  allowedTransitions!: readonly Status[];
  /** Never picked up until it is resumed. */
  paused!: boolean;
  @ApiProperty({ enum: priorities, enumName: 'Priority' })
  priority!: Priority;
  @ApiProperty({ type: AssigneeResponse, nullable: true })
  assignee!: AssigneeResponse | null;
  assignedAgentId!: string | null;
  assigneeUserId!: string | null;
  goalId!: string | null;
  @ApiProperty({ type: LeaseResponse, nullable: true })
  lease!: LeaseResponse | null;
  @ApiProperty({ type: 'integer', description: 'Leases that ran out and issues given back.' })
  attempts!: number;
  @ApiProperty({ type: 'integer', description: 'Grows with each change of the issue itself; the ETag.' })
  version!: number;
  createdBy!: ActorResponse;
  createdAt!: Date;
  updatedAt!: Date;
  startedAt!: Date | null;
  resolvedAt!: Date | null;
  closedAt!: Date | null;

  static from(row: Omit<IssueRow, 'description' | 'links'>): IssueSummaryResponse {
    return {
      id: row.id,
      key: row.key,
      projectId: row.projectId,
      title: row.title,
      status: row.status,
      allowedTransitions: allowedTransitions(row),
      paused: row.paused,
      priority: priorityName(row.priority),
      assignee: assigneeOf(row),
      assignedAgentId: row.assignedAgentId,
      assigneeUserId: row.assigneeUserId,
      goalId: row.goalId,
      lease: row.leaseExpiresAt && { expiresAt: row.leaseExpiresAt },
      attempts: row.attempts,
      version: row.version,
      createdBy: { type: row.createdByType, id: row.createdById, name: row.createdByName },
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      startedAt: row.startedAt,
      resolvedAt: row.resolvedAt,
      closedAt: row.closedAt,
    };
  }
}

/** An issue: the unit of work. */
export class IssueResponse extends IssueSummaryResponse {
  /** @example "Collect what was merged since the last release and write the notes." */
  description!: string;
  @ApiProperty({ type: [LinkResponse] })
  links!: LinkResponse[];

  static override from(row: IssueRow): IssueResponse {
    return { ...IssueSummaryResponse.from(row), description: row.description, links: row.links };
  }
}

/** An issue in a list: `description` and `links` are absent with `fields=summary`. */
export class ListedIssueResponse extends IssueSummaryResponse {
  description?: string;
  @ApiProperty({ type: [LinkResponse], required: false })
  links?: LinkResponse[];
}

function assigneeOf(row: Omit<IssueRow, 'description' | 'links'>): AssigneeResponse | null {
  if (row.assignedAgentId) return { type: 'agent', id: row.assignedAgentId, name: row.agentName! };
  if (row.assigneeUserId) return { type: 'user', id: row.assigneeUserId, name: row.userName! };
  return null;
}
