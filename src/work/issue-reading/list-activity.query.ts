import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayUnique, IsDate, IsIn } from 'class-validator';
import { PageQuery } from '../../platform/http/page-and-cursor.query.js';
import { INSTANT_MESSAGE, toInstant } from '../../platform/http/text-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { type TimelineType, timelineTypes } from './timeline.repository.js';

export const activitySorts = ['createdAt', '-createdAt'] as const;
export type ActivitySort = (typeof activitySorts)[number];

/** A parameter that is given twice stays a list within the list, which then fails validation. */
const toTypes = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.split(',') : value === undefined ? undefined : [value];

/** Which rows of an issue's timeline are listed, and in which direction. */
export class ListActivityQuery extends PageQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    description: `One type, or several separated by commas: ${timelineTypes.join(', ')}.`,
    example: 'comment.created,gate.answered',
  })
  @Transform(toTypes)
  @MayBeAbsent()
  @IsIn(timelineTypes, { each: true, message: 'must be one or several types of the timeline' })
  @ArrayUnique({ message: 'must not name a type twice' })
  type?: TimelineType[];

  /** Only rows at or after this instant, in ISO 8601 with a time zone. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  from?: Date;

  /** Only rows before this instant. */
  @ApiProperty({ type: 'string', format: 'date-time', required: false })
  @Transform(toInstant)
  @MayBeAbsent()
  @IsDate({ message: INSTANT_MESSAGE })
  to?: Date;

  @ApiProperty({ enum: activitySorts, default: 'createdAt', required: false })
  @IsIn(activitySorts)
  sort: ActivitySort = 'createdAt';

  @ApiProperty({
    enum: ['summary'],
    required: false,
    description: '`summary` leaves out the contents of comments and the answers to gates.',
  })
  @MayBeAbsent()
  @IsIn(['summary'])
  fields?: 'summary';
}
