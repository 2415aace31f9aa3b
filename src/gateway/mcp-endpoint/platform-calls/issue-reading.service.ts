import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { encodeCursor } from '../../../platform/http/pages/cursor.js';
import { GoalResponse } from '../../../work/goals/dto/goal.response.js';
import { GoalsService } from '../../../work/goals/goals.service.js';
import { IssueResponse, IssueSummaryResponse } from '../../../work/issues/dto/issue.response.js';
import { IssueAccessService } from '../../../work/issues/issue-access.service.js';
import { IssueListsService } from '../../../work/issues/list/issue-lists.service.js';
import { nameOfOrder } from '../../../work/issues/list/issue-search.js';
import { ProjectsService } from '../../../work/projects/projects.service.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { GoalArguments } from './arguments/goal-arguments.js';
import { GetIssueArguments } from './arguments/issue-arguments.js';
import { ListIssuesArguments } from './arguments/list-issues-arguments.js';
import { MyIssuesArguments } from './arguments/my-issues-arguments.js';
import { IssueCommentsAndFilesService } from './issue-comments-and-files.service.js';

type Given = Record<string, unknown>;

/** The tools that read issues and goals. */
@Injectable()
export class IssueReadingService {
  constructor(
    private readonly lists: IssueListsService,
    private readonly access: IssueAccessService,
    private readonly commentsAndFiles: IssueCommentsAndFilesService,
    private readonly projects: ProjectsService,
    private readonly goals: GoalsService,
  ) {}

  /** Lists the agent's issues, last changed first, because an agent needs those that it worked on recently. */
  async mine(agent: AgentPrincipal, given: Given): Promise<object> {
    const asked = await argumentsAs(MyIssuesArguments, given);
    return this.page(agent, { ...asked, assigneeId: agent.id, sort: '-updatedAt' });
  }

  async list(agent: AgentPrincipal, given: Given): Promise<object> {
    const { projectId: named, ...asked } = await argumentsAs(ListIssuesArguments, given);
    const project = await this.projects.getFiltered(agent, named);
    return this.page(agent, { ...asked, ...(project && { projectId: project.id }) });
  }

  async goal(agent: AgentPrincipal, given: Given): Promise<object> {
    const { goalId } = await argumentsAs(GoalArguments, given);
    return { goal: GoalResponse.from(await this.goals.get(agent, goalId)) };
  }

  private async page(agent: AgentPrincipal, asked: ListIssuesArguments): Promise<object> {
    const page = await this.lists.read(agent, { ...asked, fields: 'summary', count: false });
    return {
      issues: page.rows.map((row) => IssueSummaryResponse.from(row, agent)),
      nextCursor: page.next && encodeCursor(page.next, nameOfOrder(asked)),
    };
  }

  async get(agent: AgentPrincipal, given: Given): Promise<object> {
    const { issueId, commentsCursor } = await argumentsAs(GetIssueArguments, given);
    const issue = await this.access.read(agent, issueId);
    return {
      issue: IssueResponse.from(issue, agent),
      ...(await this.commentsAndFiles.of(issue, commentsCursor)),
    };
  }
}
