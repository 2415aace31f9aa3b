import { ApiProperty } from '@nestjs/swagger';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import type { IssueRow, SummaryRow } from '../issue-status/issue-row-and-references.js';
import {
  allowedTransitionsOf,
  priorities,
  type Priority,
  priorityName,
  type Status,
  statuses,
} from '../issue-status/issue-status.js';
import { IssueLabelResponse } from '../labels/label.dto.js';
import { LinkResponse } from '../links/link.dto.js';
import { explanations, type Reason } from './reasons-and-sentences.js';
import type { Cause, Why } from './explain-and-why.service.js';

class CauseResponse {
  @ApiProperty({ enum: ['issue', 'gate', 'agent', 'user'] })
  type!: Cause['type'];
  id!: string;
  /**
   * The key of an issue, the title of a gate, the name of a person or agent.
   * @example DOCS-11
   */
  label!: string;
}

/** Why no agent works on an issue, or that one does. */
export class WhyResponse {
  @ApiProperty({
    enum: explanations.map(({ reason }) => reason),
    enumName: 'ExplainReason',
    example: 'waiting',
  })
  reason!: Reason;
  /** @example "It waits for DOCS-11; once they are Resolved or Closed, it becomes Open automatically." */
  sentence!: string;
  @ApiProperty({
    type: [CauseResponse],
    description: 'Who has to act, or what has to end: gates, then at most 5 issues.',
  })
  waitsFor!: CauseResponse[];

  static from({ reason, sentence, waitsFor }: Why): WhyResponse {
    return { reason, sentence, waitsFor };
  }
}

/** The user, the agent or the service itself that did something. */
export class ActorResponse {
  @ApiProperty({ enum: ['user', 'agent', 'system'] })
  type!: 'user' | 'agent' | 'system';
  id!: string | null;
  /** @example "Ada Lovelace" */
  name!: string;
}

/** The assignee of an issue: its agent, or its person when it has no agent. */
export class AssigneeResponse {
  @ApiProperty({ enum: ['agent', 'user'] })
  type!: 'agent' | 'user';
  id!: string;
  /** @example "Release notes writer" */
  name!: string;
}

/** The lease of the agent that works on the issue now. */
export class LeaseResponse {
  expiresAt!: Date;
}

/** The pull requests of an issue. */
export class CodeCountsResponse {
  @ApiProperty({ type: 'integer', description: 'Those that are open or a draft.' })
  open!: number;
  @ApiProperty({ type: 'integer', description: 'Those of them whose checks fail.' })
  failing!: number;
}

/** How many sub-issues an issue has. */
export class ChildCountsResponse {
  @ApiProperty({ type: 'integer' })
  total!: number;
  @ApiProperty({ type: 'integer', description: 'Those that are Resolved or Closed.' })
  resolved!: number;
}

const NO_CHILDREN: ChildCountsResponse = { total: 0, resolved: 0 };

/** An issue without description and links, as in a list with `fields=summary`. */
export class IssueSummaryResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05 */
  id!: string;
  /** @example DOCS-1 */
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
    description:
      'What the caller may set by PUT from here. An agent may change only issues that are assigned to it.',
  })
  allowedTransitions!: readonly Status[];
  /** Whether the issue is paused: no agent gets it until it is resumed. */
  paused!: boolean;
  @ApiProperty({ enum: priorities, enumName: 'Priority' })
  priority!: Priority;
  @ApiProperty({ type: AssigneeResponse, nullable: true })
  assignee!: AssigneeResponse | null;
  assignedAgentId!: string | null;
  assigneeUserId!: string | null;
  goalId!: string | null;
  /** The issue that it is a part of; null for one on the top level. */
  parentId!: string | null;
  /** Whether its parent waits for it. */
  holdsParent!: boolean;
  children!: ChildCountsResponse;
  @ApiProperty({ type: [IssueLabelResponse], description: 'By name.' })
  labels!: IssueLabelResponse[];
  @ApiProperty({ type: LeaseResponse, nullable: true })
  lease!: LeaseResponse | null;
  @ApiProperty({
    type: 'integer',
    description: 'How often a lease ran out and was taken over, or an agent gave the issue back.',
  })
  attempts!: number;
  @ApiProperty({
    type: 'integer',
    description: 'Grows with each change of the issue itself. It is the ETag.',
  })
  version!: number;
  createdBy!: ActorResponse;
  createdAt!: Date;
  updatedAt!: Date;
  @ApiProperty({ description: 'When it got its present status.' })
  statusSince!: Date;
  startedAt!: Date | null;
  resolvedAt!: Date | null;
  closedAt!: Date | null;

  /** Written out: objects that are put together by `pick` make a page of 50 issues five times as slow to build and send. */
  static from(row: SummaryRow, caller: Principal): IssueSummaryResponse {
    return {
      id: row.id,
      key: row.key,
      projectId: row.projectId,
      title: row.title,
      status: row.status,
      paused: row.paused,
      allowedTransitions: allowedTransitionsOf(row, caller),
      priority: priorityName(row.priority),
      assignee: assigneeOf(row),
      assignedAgentId: row.assignedAgentId,
      assigneeUserId: row.assigneeUserId,
      goalId: row.goalId,
      parentId: row.parentId,
      holdsParent: row.holdsParent,
      children: row.children ?? NO_CHILDREN,
      labels: row.labels ?? [],
      lease: row.leaseExpiresAt && { expiresAt: row.leaseExpiresAt },
      attempts: row.attempts,
      version: row.version,
      createdBy: { type: row.createdByType, id: row.createdById, name: row.createdByName },
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      statusSince: row.statusSince,
      startedAt: row.startedAt,
      resolvedAt: row.resolvedAt,
      closedAt: row.closedAt,
    };
  }
}

/** An issue, the unit of work. */
export class IssueResponse extends IssueSummaryResponse {
  /** @example "Collect what was merged since the last release and write the notes." */
  description!: string;
  @ApiProperty({ type: [LinkResponse] })
  links!: LinkResponse[];
  /**
   * What it is at the source of the import that has made or updated it; null where none has.
   * @example "github:acme/web#12"
   */
  externalId!: string | null;
  @ApiProperty({ type: Date, nullable: true, description: 'When an import wrote it last.' })
  importedAt!: string | null;

  /** Not spread: V8 takes 2 µs for each member that follows a spread one, which was 0.6 ms for a page of 50 issues. */
  static override from(row: IssueRow, caller: Principal): IssueResponse {
    return Object.assign(IssueSummaryResponse.from(row, caller), {
      description: row.description,
      links: row.links,
      externalId: row.imported?.externalId ?? null,
      importedAt: row.imported?.at ?? null,
    });
  }
}

/** An issue in a list, with why no agent works on it. */
export class ExplainedIssueResponse extends IssueSummaryResponse {
  why!: WhyResponse;
  code!: CodeCountsResponse;
}

/** An issue in a list. With `fields=summary`, `description`, `links` and what an import says are absent; `why` and `code` are there where `why` was asked for. */
export class ListedIssueResponse extends IssueSummaryResponse {
  description?: string;
  @ApiProperty({ type: [LinkResponse], required: false })
  links?: LinkResponse[];
  externalId?: string | null;
  @ApiProperty({ type: Date, nullable: true, required: false })
  importedAt?: string | null;
  why?: WhyResponse;
  code?: CodeCountsResponse;
}

function assigneeOf(row: SummaryRow): AssigneeResponse | null {
  if (row.assignedAgentId) return { type: 'agent', id: row.assignedAgentId, name: row.agentName! };
  if (row.assigneeUserId) return { type: 'user', id: row.assigneeUserId, name: row.userName! };
  return null;
}
