import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsObject, ValidateNested } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { IsName, IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { priorities, type Priority, type Status, statuses } from '../issue-status/issue-status.js';
import { PlannedIssueRequest } from '../plans/plan.dto.js';
import { type IssueTemplate, policies, type Policy } from './schedule.entity.js';
import type { ReadSchedule } from './schedule.repository.js';

/** An issue as one of a plan. Its title and description may have `{{date}}`, `{{time}}` and `{{number}}`. */
export class IssueTemplateRequest extends OmitType(PlannedIssueRequest, ['ref'] as const) {}

export class CreateScheduleRequest {
  /** @example "Morning report" */
  // It stands in lines of the log and of the audit as the author of issues.
  @IsName({ oneLine: true })
  name!: string;

  /**
   * Minute, hour, day of the month, month, day of the week.
   * @example "0 9 * * 1-5"
   */
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
  cron!: string;

  @ApiProperty({
    type: 'string',
    default: 'UTC',
    required: false,
    example: 'Europe/Berlin',
    description: 'The IANA name of the time zone whose clock counts.',
  })
  @MayBeAbsent()
  @IsText({ min: 1, max: 64, unit: 'codePoints' })
  timeZone?: string;

  @IsObject({ message: 'must be an object' })
  @ValidateNested()
  @Type(() => IssueTemplateRequest)
  template!: IssueTemplateRequest;

  @ApiProperty({
    enum: policies,
    enumName: 'SchedulePolicy',
    default: 'skip',
    required: false,
    description: 'What happens while the last issue is unresolved.',
  })
  @MayBeAbsent()
  @IsIn(policies)
  policy?: Policy;

  @ApiProperty({ type: 'boolean', default: true, required: false })
  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean;

  @ApiProperty({
    type: 'boolean',
    required: false,
    default: false,
    description: 'Checks the schedule, returns its next times and stores nothing.',
  })
  @MayBeAbsent()
  @IsBoolean()
  dryRun?: boolean;
}

/** An absent field stays as it is; `template` is replaced as a whole. */
export class UpdateScheduleRequest extends PartialType(OmitType(CreateScheduleRequest, ['dryRun'] as const), {
  skipNullProperties: false,
}) {}

export class IssueTemplateResponse implements IssueTemplate {
  /** @example "Report of {{date}}" */
  title!: string;
  description!: string;
  assignedAgentId!: string | null;
  assigneeUserId!: string | null;
  goalId!: string | null;
  /**
   * The names or ids that the template was given.
   * @example ["docs"]
   */
  labels!: string[];
  @ApiProperty({ enum: priorities, enumName: 'Priority' })
  priority!: Priority;
  /** @example DOCS-1 */
  parent!: string | null;
  holdsParent!: boolean;
  /** @example ["DOCS-2"] */
  blockedBy!: string[];
}

/** The user with whose rights a schedule creates issues. */
export class ScheduleEditorResponse {
  id!: string;
  /** @example "Ada Lovelace" */
  name!: string;
}

/** Times at which a project gets an issue. */
export class ScheduleResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21 */
  id!: string;
  projectId!: string;
  /** @example "Morning report" */
  name!: string;
  /** @example "0 9 * * 1-5" */
  cron!: string;
  /** @example Europe/Berlin */
  timeZone!: string;
  template!: IssueTemplateResponse;
  @ApiProperty({ enum: policies, enumName: 'SchedulePolicy' })
  policy!: Policy;
  enabled!: boolean;
  /** null while it is disabled. */
  nextAt!: Date | null;
  /** The due time of its last issue, or when a person asked for that. */
  lastAt!: Date | null;
  /** null where there is none, or it was deleted. */
  lastIssueId!: string | null;
  @ApiProperty({ type: 'integer', description: 'How often in a row it could not create its issue.' })
  failures!: number;
  /**
   * Why it could not, the last time.
   * @example "template.assignedAgentId: names no agent"
   */
  lastFailure!: string | null;
  /** Who changed it last: with the rights of this user it creates issues. */
  editedBy!: ScheduleEditorResponse;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: ReadSchedule): ScheduleResponse {
    return {
      ...pick(row, 'id', 'projectId', 'name', 'cron', 'timeZone', 'template', 'policy', 'enabled'),
      ...pick(row, 'nextAt', 'lastAt', 'lastIssueId', 'failures', 'lastFailure', 'editedBy'),
      ...pick(row, 'createdAt', 'updatedAt'),
    };
  }
}

/** The next issue as a schedule would create it. */
export class CheckedIssueResponse {
  /** @example "Report of 2027-03-29" */
  title!: string;
  description!: string;
  @ApiProperty({ enum: statuses, enumName: 'Status' })
  status!: Status;
}

/** What a schedule would do. */
export class CheckedScheduleResponse {
  @ApiProperty({ type: 'string', format: 'date-time', isArray: true, description: 'Its next five times.' })
  nextTimes!: Date[];
  issue!: CheckedIssueResponse;
}
