import { ApiProperty, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsBoolean, IsString, ValidateNested } from 'class-validator';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, MayBeNull } from '../../platform/http/validation.pipe.js';
import { type Status, statuses } from '../issue-status/issue-status.js';
import { CreateIssueRequest } from '../issues/issue.request.js';

/** The most issues of a plan, and the most lines of its graph: as many as a graph of the dashboard shows. */
export const ISSUES_PER_PLAN = 500;
export const LINES_PER_PLAN = 5_000;

/** A new issue, as for a single one, under a name of the caller's own. */
export class PlannedIssueRequest extends PickType(CreateIssueRequest, [
  'title',
  'description',
  'assignedAgentId',
  'assigneeUserId',
  'goalId',
  'holdsParent',
  'labels',
  'priority',
] as const) {
  /**
   * The caller's own name for the issue, unique in the plan.
   * @example notes
   */
  @IsText({ min: 1, max: 64, unit: 'codePoints' })
  ref!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description:
      'What the issue is a part of: a ref of this plan, or the id or key of an issue of the project.',
  })
  @MayBeNull()
  @IsString()
  parent?: string | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    required: false,
    description: 'What has to be finished first: refs of this plan, or ids or keys of issues.',
  })
  @MayBeNull()
  @IsArray()
  blockedBy?: unknown[] | null;
}

export class PlanRequest {
  @ApiProperty({ type: [PlannedIssueRequest], minItems: 1, maxItems: ISSUES_PER_PLAN })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(ISSUES_PER_PLAN)
  @ValidateNested({ each: true })
  @Type(() => PlannedIssueRequest)
  issues!: PlannedIssueRequest[];

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description: 'Checks the plan and stores nothing.',
  })
  @MayBeAbsent()
  @IsBoolean()
  dryRun?: boolean;
}

/** An issue that a plan has created. */
export class CreatedPlanIssueResponse {
  /** @example notes */
  ref!: string;
  id!: string;
  /** @example DOCS-3 */
  key!: string;
  @ApiProperty({ enum: statuses, enumName: 'Status' })
  status!: Status;
}

/** The issues of a plan, in its order. Their keys follow each other. */
export class CreatedPlanResponse {
  issues!: CreatedPlanIssueResponse[];
}

/** An issue as a plan would create it. */
export class CheckedPlanIssueResponse {
  /** @example notes */
  ref!: string;
  @ApiProperty({ enum: statuses, enumName: 'Status' })
  status!: Status;
}

/** What a plan would create, with the shape of its graph. */
export class CheckedPlanResponse {
  issues!: CheckedPlanIssueResponse[];
  /**
   * The refs in an order in which the issues can be finished.
   * @example ["notes"]
   */
  order!: string[];
  /**
   * The refs of the longest chain, each of which holds the next: the plan takes at least so many steps.
   * @example ["notes"]
   */
  critical!: string[];
}
