import { ApiExtraModels, ApiProperty, type ApiPropertyOptions, getSchemaPath } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  Allow,
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, MayBeNull, toBoolean } from '../../platform/http/validation.pipe.js';
import { ActorResponse, ChildCountsResponse, LeaseResponse } from '../issue-reading/issue.response.js';
import { priorities, type Priority, type Status, statuses } from '../issue-status/issue-status.js';
import { LABELS_PER_ISSUE } from '../labels/label-lookup-and-differences.service.js';
import { IssueLabelResponse } from '../labels/label.dto.js';
import { LinkResponse } from '../links/link.dto.js';

/** The labels of an issue. Each place is checked with the labels of the project, so that an error can name it. */
const TakesLabels = (): PropertyDecorator => (target, property) => {
  const name = property as string;
  MayBeAbsent()(target, name);
  IsArray({ message: 'must be a list' })(target, name);
  ArrayMaxSize(LABELS_PER_ISSUE, { message: `must have at most ${LABELS_PER_ISSUE} labels` })(target, name);
  ApiExtraModels(IssueLabelResponse)(target.constructor);
  ApiProperty({
    type: 'array',
    items: { oneOf: [{ type: 'string' }, { $ref: getSchemaPath(IssueLabelResponse) }] },
    maxItems: LABELS_PER_ISSUE,
    required: false,
    description: 'All labels of the issue, each by its name or id, or as an issue shows it.',
    example: [],
  })(target, name);
};

export class CreateIssueRequest {
  /**
   * A short title in the imperative.
   * @example "Write the release notes"
   */
  @IsText({ min: 1, max: 500, unit: 'codePoints', trim: true })
  title!: string;

  /**
   * The brief that the agent reads.
   * @example "Collect what was merged since the last release and write the notes."
   */
  @MayBeNull()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description: 'The agent that works on the issue.',
  })
  @MayBeNull()
  @IsString()
  assignedAgentId?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description: 'The person who is responsible for the issue.',
  })
  @MayBeNull()
  @IsString()
  assigneeUserId?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description: 'A goal of the same project.',
  })
  @MayBeNull()
  @IsString()
  goalId?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description: 'Id or key of an issue that must be resolved or closed first.',
  })
  @MayBeNull()
  @IsString()
  blockedByIssueId?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description: 'Id or key of the issue of the same project that this one is a part of.',
  })
  @MayBeNull()
  @IsString()
  parentId?: string | null;

  @ApiProperty({
    required: false,
    default: true,
    description: 'Whether the parent waits until this issue is resolved or closed.',
  })
  @MayBeAbsent()
  @IsBoolean()
  holdsParent?: boolean;

  @ApiProperty({ enum: priorities, enumName: 'Priority', default: 'none', required: false })
  @MayBeAbsent()
  @IsIn(priorities)
  priority?: Priority;

  @TakesLabels()
  labels?: unknown[];
}

export class CloseIssueQuery {
  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description: 'Closes the issue even while it blocks unresolved issues, and with the issues below it.',
  })
  @Transform(toBoolean)
  @IsBoolean({ message: 'must be true or false' })
  force: boolean = false;
}

export class AssigneeRequest {
  @ApiProperty({ enum: ['agent', 'user'] })
  @IsIn(['agent', 'user'])
  type!: 'agent' | 'user';

  @IsString()
  id!: string;

  @ApiProperty({
    required: false,
    description: 'Accepted and ignored, so that an assignee as it was read is a valid value.',
  })
  @IsOptional()
  @IsString()
  name?: string;
}

/** A field that only the service sets. It is accepted with its present value, so that an issue as it was read is a valid body. */
const ReadOnly =
  (shape: ApiPropertyOptions): PropertyDecorator =>
  (target, property) => {
    Allow()(target, property as string);
    const documented = {
      ...shape,
      required: false,
      description: 'Read-only: accepted with its present value.',
    };
    ApiProperty(documented as ApiPropertyOptions)(target, property);
  };

const time: ApiPropertyOptions = { type: 'string', format: 'date-time' };
const timeOrNull: ApiPropertyOptions = { ...time, nullable: true };

/** An absent field stays as it is, `null` clears it. */
export class UpdateIssueRequest {
  /** @example "Write the release notes" */
  @MayBeAbsent()
  @IsText({ min: 1, max: 500, unit: 'codePoints', trim: true })
  title?: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    example: 'Collect what was merged and write the notes.',
  })
  @MayBeNull()
  @IsText({ min: 0, max: 65_536, unit: 'bytes' })
  description?: string | null;

  @ApiProperty({ enum: statuses, enumName: 'Status', required: false, example: 'Resolved' })
  @MayBeAbsent()
  @IsIn(statuses)
  status?: Status;

  @ApiProperty({ type: 'string', nullable: true, required: false })
  @MayBeNull()
  @IsString()
  assignedAgentId?: string | null;

  @ApiProperty({ type: 'string', nullable: true, required: false })
  @MayBeNull()
  @IsString()
  assigneeUserId?: string | null;

  @ApiProperty({ type: AssigneeRequest, nullable: true, required: false })
  @MayBeNull()
  @IsObject({ message: 'must be an object of type and id' })
  @ValidateNested()
  @Type(() => AssigneeRequest)
  assignee?: AssigneeRequest | null;

  @ApiProperty({ type: 'string', nullable: true, required: false })
  @MayBeNull()
  @IsString()
  goalId?: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    required: false,
    description:
      'Id or key of the issue of the same project that this one is a part of; null for the top level.',
  })
  @MayBeNull()
  @IsString()
  parentId?: string | null;

  @ApiProperty({
    required: false,
    description:
      'Whether the parent waits until this issue is resolved or closed. Without a parent it is true.',
  })
  @MayBeAbsent()
  @IsBoolean()
  holdsParent?: boolean;

  @ApiProperty({ enum: priorities, enumName: 'Priority', required: false })
  @MayBeAbsent()
  @IsIn(priorities)
  priority?: Priority;

  @TakesLabels()
  labels?: unknown[];

  @ApiProperty({ type: 'integer', required: false, description: 'Has the effect of If-Match.' })
  @MayBeAbsent()
  @IsInt()
  version?: number;

  @ReadOnly({ type: 'string' }) id?: unknown;
  @ReadOnly({ type: 'string' }) key?: unknown;
  @ReadOnly({ type: 'string' }) projectId?: unknown;
  @ReadOnly({ enum: statuses, enumName: 'Status', isArray: true }) allowedTransitions?: unknown;
  @ReadOnly({ type: 'boolean' }) paused?: unknown;
  @ReadOnly({ type: ChildCountsResponse }) children?: unknown;
  @ReadOnly({ type: [LinkResponse] }) links?: unknown;
  @ReadOnly({ type: LeaseResponse, nullable: true }) lease?: unknown;
  @ReadOnly({ type: 'integer' }) attempts?: unknown;
  @ReadOnly({ type: ActorResponse }) createdBy?: unknown;
  @ReadOnly(time) createdAt?: unknown;
  @ReadOnly(time) updatedAt?: unknown;
  @ReadOnly(time) statusSince?: unknown;
  @ReadOnly(timeOrNull) startedAt?: unknown;
  @ReadOnly(timeOrNull) resolvedAt?: unknown;
  @ReadOnly(timeOrNull) closedAt?: unknown;
  @ReadOnly({ type: 'string', nullable: true }) externalId?: unknown;
  @ReadOnly(timeOrNull) importedAt?: unknown;
}

/** A field of the body that only the service sets. */
export type ReadOnlyField =
  | 'id'
  | 'key'
  | 'projectId'
  | 'allowedTransitions'
  | 'paused'
  | 'children'
  | 'links'
  | 'lease'
  | 'attempts'
  | 'createdBy'
  | 'createdAt'
  | 'updatedAt'
  | 'statusSince'
  | 'startedAt'
  | 'resolvedAt'
  | 'closedAt'
  | 'externalId'
  | 'importedAt';
