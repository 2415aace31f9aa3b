import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsIn, IsString, IsUUID, Matches } from 'class-validator';
import { PageQuery } from '../../platform/http/page-and-cursor.query.js';
import { IsText } from '../../platform/http/text-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { priorities, type Priority, type Status, statuses } from '../issue-status/issue-status.js';
import { type IssueSort, issueSorts } from './issue-sort.js';

/** A parameter that is given twice becomes a list within the list, which is no value of it and is rejected. */
const split = ({ value }: { value: unknown }) => {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value.split(',') : [value];
};

/** What a list shows of each issue, besides all of it. */
export const fieldSets = ['summary', 'summary,why'] as const;
export type FieldSet = (typeof fieldSets)[number];

/** An id in the form of a UUID, or one of the two words. */
export const ASSIGNEE = /^(me|none|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;

/** A request line of so many ids has less than half of the 16 KiB that Node reads. */
const IDS_MAX = 200;

export class ListIssuesQuery extends PageQuery {
  @ApiProperty({
    type: 'string',
    required: false,
    description: `Ids of issues, separated by commas, ${IDS_MAX} at most. Those that do not match the other filters are left out.`,
    example: '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff',
  })
  @Transform(split)
  @MayBeAbsent()
  @IsUUID('all', { each: true, message: 'must be one or several ids of issues' })
  @ArrayMaxSize(IDS_MAX, { message: `must name at most ${IDS_MAX} issues` })
  ids?: string[];

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

  @ApiProperty({
    type: 'string',
    required: false,
    description:
      'The id of the agent or user that is assigned; `me` for the caller, `none` for issues without assignee.',
    example: 'me',
  })
  @MayBeAbsent()
  @Matches(ASSIGNEE, { message: 'must be the id of an agent or user, `me`, or `none`' })
  assigneeId?: string;

  @MayBeAbsent()
  @IsString()
  goalId?: string;

  @ApiProperty({ enum: priorities, enumName: 'Priority', required: false })
  @MayBeAbsent()
  @IsIn(priorities)
  priority?: Priority;

  /**
   * The key of an issue, or words that title and description must contain, all of them; the last one may be a beginning.
   * With `limit` at most 10 the order is key, title, text.
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  q?: string;

  @ApiProperty({ enum: issueSorts, default: '-createdAt', required: false })
  @IsIn(issueSorts)
  sort: IssueSort = '-createdAt';

  @ApiProperty({
    enum: fieldSets,
    required: false,
    description: 'summary omits description and links; why adds why no agent works on the issue.',
  })
  @MayBeAbsent()
  @IsIn(fieldSets)
  fields?: FieldSet;
}
