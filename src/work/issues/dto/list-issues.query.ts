import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayUnique, IsIn, IsString } from 'class-validator';
import { PageQuery } from '../../../platform/http/page.query.js';
import { MayBeAbsent } from '../../../platform/http/presence.decorators.js';
import { IsText } from '../../../platform/http/text-rules.js';
import { statuses, type Status } from '../issue-status.js';
import { issueSorts, type IssueSort } from '../issue-sort.js';
import { priorities, type Priority } from '../priority.js';

/** A parameter that is given twice stays one list within the list, which no status is. */
const split = ({ value }: { value: unknown }) => {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value.split(',') : [value];
};

export class ListIssuesQuery extends PageQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    description: `One status, or several separated by commas: ${statuses.join(', ')}.`,
    example: 'Open,InProgress',
  })
  @Transform(split)
  @MayBeAbsent()
  @IsIn(statuses, { each: true, message: `must be one or several of ${statuses.join(', ')}` })
  @ArrayUnique({ message: 'must not name a status twice' })
  status?: Status[];

  /** The agent or user who has it. */
  @MayBeAbsent()
  @IsString()
  assigneeId?: string;

  @MayBeAbsent()
  @IsString()
  goalId?: string;

  @ApiProperty({ enum: priorities, enumName: 'Priority', required: false })
  @MayBeAbsent()
  @IsIn(priorities)
  priority?: Priority;

  /** Words that title or description hold, all of them. */
  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  q?: string;

  @ApiProperty({ enum: issueSorts, default: '-createdAt', required: false })
  @IsIn(issueSorts)
  sort: IssueSort = '-createdAt';

  @ApiProperty({
    enum: ['summary'],
    required: false,
    description: 'summary leaves description and links out.',
  })
  @MayBeAbsent()
  @IsIn(['summary'])
  fields?: 'summary';
}
