import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { encodeCursor } from '../../../platform/http/pages/cursor.js';
import { IssueResponse, IssueSummaryResponse } from '../../../work/issues/dto/issue.response.js';
import { IssueAccessService } from '../../../work/issues/issue-access.service.js';
import { IssueListsService } from '../../../work/issues/list/issue-lists.service.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { GetIssueArguments } from './arguments/issue-arguments.js';
import { MyIssuesArguments } from './arguments/my-issues-arguments.js';
import { DiscussionService } from './discussion.service.js';

type Given = Record<string, unknown>;

/** The tools that read issues. */
@Injectable()
export class IssueReadingService {
  constructor(
    private readonly lists: IssueListsService,
    private readonly access: IssueAccessService,
    private readonly discussion: DiscussionService,
  ) {}

  /** Lists the agent's issues, last changed first, because an agent needs those that it worked on recently. */
  async mine(agent: AgentPrincipal, given: Given): Promise<object> {
    const asked = await argumentsAs(MyIssuesArguments, given);
    const sort = '-updatedAt';
    const page = await this.lists.read(agent, {
      ...asked,
      assigneeId: agent.id,
      sort,
      fields: 'summary',
      count: false,
    });
    return {
      issues: page.rows.map((row) => IssueSummaryResponse.from(row, agent)),
      nextCursor: page.next && encodeCursor(page.next, sort),
    };
  }

  async get(agent: AgentPrincipal, given: Given): Promise<object> {
    const { issueId, commentsCursor } = await argumentsAs(GetIssueArguments, given);
    const issue = await this.access.read(agent, issueId);
    return { issue: IssueResponse.from(issue, agent), ...(await this.discussion.of(issue, commentsCursor)) };
  }
}
