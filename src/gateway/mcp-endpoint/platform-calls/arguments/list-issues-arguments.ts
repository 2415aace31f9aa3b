import { IsIn, IsString, Matches } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../../platform/http/body/text-rules.js';
import { ASSIGNEE } from '../../../../work/issues/dto/list-issues.query.js';
import { issueSorts, type IssueSort } from '../../../../work/issues/list/issue-sort.js';
import { priorities, type Priority } from '../../../../work/issues/priority.js';
import { MyIssuesArguments } from './my-issues-arguments.js';

/** The parameters of the lists of issues. */
export class ListIssuesArguments extends MyIssuesArguments {
  @MayBeAbsent()
  @IsString()
  projectId?: string;

  @MayBeAbsent()
  @Matches(ASSIGNEE, { message: 'must be the id of an agent or user, `me`, or `none`' })
  assigneeId?: string;

  @MayBeAbsent()
  @IsString()
  goalId?: string;

  @MayBeAbsent()
  @IsIn(priorities)
  priority?: Priority;

  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  q?: string;

  @IsIn(issueSorts)
  sort: IssueSort = '-updatedAt';
}
