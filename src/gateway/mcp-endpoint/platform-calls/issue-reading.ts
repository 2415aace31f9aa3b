import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { encodeCursor } from '../../../platform/http/cursor.js';
import { IssueResponse, IssueSummaryResponse } from '../../../work/issues/dto/issue.response.js';
import { IssueAccess } from '../../../work/issues/issue-access.js';
import { IssueLists } from '../../../work/issues/issue-lists.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { GetIssueArguments } from './arguments/issue-arguments.js';
import { MyIssuesArguments } from './arguments/my-issues-arguments.js';
import { Discussion } from './discussion.js';

type Given = Record<string, unknown>;

/** Reading issues, as tools. */
@Injectable()
export class IssueReading {
  constructor(
    private readonly lists: IssueLists,
    private readonly access: IssueAccess,
    private readonly discussion: Discussion,
  ) {}

  /** Last changed first: what an agent asks for is what it has been at. */
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
      issues: page.rows.map(IssueSummaryResponse.from),
      nextCursor: page.next && encodeCursor(page.next, sort),
    };
  }

  async get(agent: AgentPrincipal, given: Given): Promise<object> {
    const { issueId, commentsCursor } = await argumentsAs(GetIssueArguments, given);
    const issue = await this.access.read(agent, issueId);
    return { issue: IssueResponse.from(issue), ...(await this.discussion.of(issue, commentsCursor)) };
  }
}
