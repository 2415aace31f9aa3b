import { ApiProperty, IntersectionType, OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayUnique, IsDate, IsIn, IsString, IsUUID, Matches } from 'class-validator';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { PageQuery } from '../../platform/http/page-and-cursor.query.js';
import { INSTANT_MESSAGE, IsText, toInstant } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import {
  priorities,
  type Priority,
  priorityNumber,
  type Status,
  statuses,
} from '../issue-status/issue-status.js';
import { type IssueFilter, type IssueSort, issueSorts } from './issue-filter-and-order.js';
import { type TimelineType, timelineTypes } from './timeline.repository.js';

/** A parameter that is given twice becomes a list within the list, which is no value of it and is rejected. */
const split = ({ value }: { value: unknown }) => {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value.split(',') : [value];
};

/** What a list shows of each issue, besides all of it. */
export const fieldSets = ['summary', 'summary,why'] as const;
export type FieldSet = (typeof fieldSets)[number];

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
/** An id in the form of a UUID, or one of the two words. */
export const ASSIGNEE = new RegExp(`^(me|none|${UUID})$`);
export const ID_OR_NONE = new RegExp(`^(none|${UUID})$`);

/** A request line of so many ids has less than half of the 16 KiB that Node reads. */
const IDS_MAX = 200;
/** The values of one filter: what a person chooses in a menu. */
const VALUES_MAX = 20;

/** A filter with several values, separated by commas. `example` is one of them. */
const Several = (description: string, example: string) => (target: object, name: string) => {
  ApiProperty({
    type: 'string',
    required: false,
    description: `${description} Several are separated by commas, ${VALUES_MAX} at most.`,
    example,
  })(target, name);
  Transform(split)(target, name);
  MayBeAbsent()(target, name);
  ArrayMaxSize(VALUES_MAX, { message: `must have at most ${VALUES_MAX} values` })(target, name);
};

/** Which issues of a list are returned or counted: those that match all the filters that are present. */
export class IssueFilterQuery {
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

  @Several(
    'The id of the agent or user that is assigned; `me` for the caller, `none` for issues without assignee.',
    'me',
  )
  @Matches(ASSIGNEE, { each: true, message: 'must be ids of agents or users, `me`, or `none`' })
  assigneeId?: string[];

  @Several('The id of the agent that executes the issue, or `none` for issues without agent.', 'none')
  @Matches(ID_OR_NONE, { each: true, message: 'must be ids of agents, or `none`' })
  agentId?: string[];

  @Several('The id of a goal, or `none` for issues without goal.', 'none')
  @IsString({ each: true })
  goalId?: string[];

  @Several('The id of an issue: its sub-issues. `none` for issues on the top level.', 'none')
  @Matches(ID_OR_NONE, { each: true, message: 'must be ids of issues, or `none`' })
  parentId?: string[];

  @Several(`One of ${priorities.join(', ')}.`, 'high,urgent')
  @IsIn(priorities, { each: true, message: `must be one or several of ${priorities.join(', ')}` })
  @ArrayUnique({ message: 'must not name a priority twice' })
  priority?: Priority[];

  @Several(
    'The name or id of a label; issues that have all of these. `none` for issues without labels.',
    'bug',
  )
  @IsString({ each: true })
  label?: string[];

  @Several(
    'The id of an unfinished issue: those that wait for it directly. `none` for issues that wait for no other.',
    'none',
  )
  @Matches(ID_OR_NONE, { each: true, message: 'must be ids of issues, or `none`' })
  blockedBy?: string[];

  /**
   * The key of an issue, or words that title and description must contain, all of them; the last one may be a beginning.
   * With `limit` at most 10 the order is key, title, text.
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  q?: string;
}

export class ListIssuesQuery extends IntersectionType(PageQuery, IssueFilterQuery) {
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

/** The list of the sub-issues of one issue, oldest first. */
export class ListChildrenQuery extends OmitType(ListIssuesQuery, ['parentId', 'ids', 'sort'] as const) {
  @ApiProperty({ enum: issueSorts, default: 'createdAt', required: false })
  @IsIn(issueSorts)
  sort: IssueSort = 'createdAt';
}

/** The filter of a request; `me` is the caller. A value that is named twice counts once. */
export function filterOf(
  caller: Principal,
  {
    projectId,
    status,
    assigneeId,
    agentId,
    goalId,
    parentId,
    priority,
    label,
    blockedBy,
    q,
  }: IssueFilterQuery & { projectId?: string },
): IssueFilter {
  const once = (values?: string[]) => values && [...new Set(values.map((value) => value.toLowerCase()))];
  return {
    projectId,
    status,
    assigneeIds: once(assigneeId?.map((id) => (id === 'me' ? caller.id : id))),
    agentIds: once(agentId),
    goalIds: once(goalId),
    parentIds: once(parentId),
    priorities: priority?.map(priorityNumber),
    labels: label && [...new Set(label)],
    blockedBy: once(blockedBy),
    q,
  };
}

/** What issues are counted by (contract §5.2). */
export const groupings = ['status', 'agent', 'goal', 'label', 'parent', 'blocker', 'root'] as const;
export type Grouping = (typeof groupings)[number];

export class IssueGroupsQuery extends IssueFilterQuery {
  /** What they are counted by. */
  @ApiProperty({ enum: groupings, enumName: 'IssueGrouping', default: 'status', required: false })
  @IsIn(groupings)
  by: Grouping = 'status';
}

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
