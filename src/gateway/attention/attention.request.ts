import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxDate,
  MaxLength,
  Min,
  MinDate,
  ValidateIf,
} from 'class-validator';
import { MOST_ROWS } from '../../platform/http/page-and-cursor.query.js';
import { INSTANT_MESSAGE, toInstant } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent, toBoolean, toWholeNumber } from '../../platform/http/validation.pipe.js';
import { type Tab, tabs } from './attention-kinds.js';

/** How far away the end of a snooze may be. */
const MOST_DAYS = 90;
const DAY_MS = 86_400_000;
/** The most items that a request names. */
const MOST_ITEMS = 1_000;
/** A hash in the form of a UUID, which is of no version. */
const GROUP_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Longer than each id of an item. */
const LONGEST_ID = 100;

export class AttentionQuery {
  /**
   * Id or key of a project: only what belongs to it.
   * @example DOCS
   */
  @MayBeAbsent()
  @IsString()
  projectId?: string;

  @ApiProperty({
    enum: tabs,
    enumName: 'AttentionTab',
    required: false,
    description: 'Only the kinds of a tab.',
  })
  @MayBeAbsent()
  @IsIn(tabs)
  tab?: Tab;

  /** Id of an agent: only what concerns it, or an issue that is assigned to it. */
  @MayBeAbsent()
  @IsUUID()
  agentId?: string;

  /** true: only issues that the caller answers for, gates of projects that have the caller as a member, and the caller's keys. */
  @ApiProperty({ type: 'boolean', default: false, required: false })
  @Transform(toBoolean)
  @IsBoolean()
  mine: boolean = false;

  /** true: only what the caller has snoozed; false leaves it out, which is the default without `ids`. */
  @ApiProperty({ type: 'boolean', required: false })
  @MayBeAbsent()
  @Transform(toBoolean)
  @IsBoolean()
  snoozed?: boolean;

  /** The `id` of a group: only its equal questions. */
  @MayBeAbsent()
  @Matches(GROUP_ID, { message: 'must be the id of a group' })
  group?: string;

  /** The ids of items, at most 1,000: only those, snoozed or not. */
  @ApiProperty({ type: [String], required: false, style: 'form', explode: false } as object)
  @MayBeAbsent()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value))
  @IsArray()
  @ArrayMaxSize(MOST_ITEMS)
  @IsString({ each: true })
  @MaxLength(LONGEST_ID, { each: true })
  ids?: string[];

  /** The maximum number of items. */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MOST_ROWS, default: 100, required: false })
  @Transform(toWholeNumber)
  @IsInt()
  @Min(1)
  @Max(MOST_ROWS)
  limit: number = 100;

  /** The cursor from the `Link` header of the previous response. */
  @MayBeAbsent()
  @IsString()
  cursor?: string;
}

/** Puts items off, or wakes them. */
export class SnoozeRequest {
  /**
   * The ids of items, at most 1,000.
   * @example ["review:0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05"]
   */
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_ITEMS)
  @IsString({ each: true })
  @MaxLength(LONGEST_ID, { each: true })
  items!: string[];

  /**
   * When they come back, within 90 days; null wakes them now.
   * @example "2026-11-23T09:00:00+01:00"
   */
  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  @Transform(toInstant)
  @ValidateIf((_, value) => value !== null)
  @IsDate({ message: INSTANT_MESSAGE })
  @MinDate(() => new Date(), { message: 'must lie in the future' })
  @MaxDate(() => new Date(Date.now() + MOST_DAYS * DAY_MS), { message: `must be within ${MOST_DAYS} days` })
  until!: Date | null;
}
