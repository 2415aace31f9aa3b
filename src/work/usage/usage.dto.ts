import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsDate,
  IsIn,
  IsInt,
  IsString,
  IsUUID,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { type UsageFigures, UsageFiguresResponse } from '../../agents/usage-figures.response.js';
import { PageQuery } from '../../platform/http/page-and-cursor.query.js';
import { INSTANT_MESSAGE, IsText, toInstant } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';

/** What usage can be grouped by. */
export const usageGroups = ['agent', 'project', 'issue', 'model', 'day'] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** The usage of one agent, project, issue, model or day; `key` null where usage belongs to none. */
export interface UsageGroupRow {
  key: string | null;
  label: string | null;
  figures: UsageFigures;
}

export class UsageQuery extends PageQuery {
  @ApiProperty({ enum: usageGroups, default: 'agent', required: false })
  @IsIn(usageGroups)
  groupBy: UsageGroup = 'agent';

  /** Usage from this instant on, in whole hours; absent: the last 30 days. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  from?: Date;

  /** Usage before this instant, in whole hours; absent: until now. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  to?: Date;

  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of an agent' })
  agentId?: string;

  /** Id or key of the project. */
  @MayBeAbsent()
  @IsString()
  projectId?: string;

  /** Id or key of the issue. */
  @MayBeAbsent()
  @IsString()
  issueId?: string;

  /** A model as agents name it in their reports. */
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, unit: 'codePoints' })
  model?: string;
}

/** The largest figure of one report: far above any real one, and far below the range of the sums. */
const LARGEST = 1_000_000_000_000;

const figure = (example: number) => ({ type: 'integer', minimum: 0, maximum: LARGEST, example }) as const;

/** Usage of a model since the report before. */
export class UsageReportRequest {
  /**
   * A UUID that the agent makes for this report. The same one again counts once.
   * @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a21
   */
  @IsUUID('all', { message: 'must be a UUID' })
  reportId!: string;

  /**
   * Id or key of the issue. Absent: the issue of the request, if it names one.
   * @example DOCS-12
   */
  @MayBeAbsent()
  @IsString()
  issueId?: string;

  /** @example claude-sonnet-4-5 */
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, unit: 'codePoints' })
  model?: string;

  @ApiProperty(figure(12_000))
  @IsInt()
  @Min(0)
  @Max(LARGEST)
  inputTokens!: number;

  @ApiProperty(figure(800))
  @IsInt()
  @Min(0)
  @Max(LARGEST)
  outputTokens!: number;

  @ApiProperty({ ...figure(9_000), required: false })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(LARGEST)
  cacheReadTokens?: number;

  @ApiProperty({ ...figure(0), required: false })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(LARGEST)
  cacheWriteTokens?: number;

  @ApiProperty({ ...figure(41_000), required: false, description: 'In millionths of a US dollar.' })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(LARGEST)
  costMicros?: number;
}

/** A request with which an agent can report usage. */
export class ReportsUsageRequest {
  @ApiProperty({
    type: [UsageReportRequest],
    required: false,
    description: 'Usage since the last report. It counts also where the request is refused for its state.',
  })
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => UsageReportRequest)
  usage?: UsageReportRequest[];
}

/** The usage of one agent, project, issue, model or day. */
export class UsageResponse extends UsageFiguresResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Id of the agent, project or issue; the model; the day. null: usage that belongs to none.',
    example: '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03',
  })
  key!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What to show for the key; null where the object was deleted.',
    example: 'Release notes writer',
  })
  label!: string | null;

  static from({ key, label, figures }: UsageGroupRow): UsageResponse {
    return { key, label, ...figures };
  }
}
