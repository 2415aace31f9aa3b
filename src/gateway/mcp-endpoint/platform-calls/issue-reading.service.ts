import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { encodeCursor } from '../../../platform/http/pages/cursor.js';
import { GoalResponse } from '../../../work/goals/dto/goal.response.js';
import { GoalsService } from '../../../work/goals/goals.service.js';
import { IssueSummaryResponse } from '../../../work/issues/dto/issue.response.js';
import {
  HeldLeasesRepository,
  type HeldLease,
  type LeaseHolder,
} from '../../../work/issues/leases/held-leases.repository.js';
import { IssueListsService } from '../../../work/issues/list/issue-lists.service.js';
import { nameOfOrder } from '../../../work/issues/list/issue-search.js';
import { sortKeyOf } from '../../../work/issues/list/issue-sort.js';
import { ProjectsService } from '../../../work/projects/projects.service.js';
import { argumentsAs } from './arguments/arguments-as.js';
import { GoalArguments } from './arguments/goal-arguments.js';
import { GetIssueArguments } from './arguments/issue-arguments.js';
import { ListIssuesArguments } from './arguments/list-issues-arguments.js';
import { MyIssuesArguments } from './arguments/my-issues-arguments.js';
import { commentsFrom } from './comments-cursor.js';
import { fittingFirst, FRAME_CHARACTERS, RESULT_CHARACTERS, sizeOf } from './fitting.js';
import { IssuePagesService } from './issue-pages.service.js';

type Given = Record<string, unknown>;

/** The most characters of the leases that a caller holds, which are about 100. */
const HELD_CHARACTERS = 20_000;

/** The tools that read issues and goals. */
@Injectable()
export class IssueReadingService {
  constructor(
    private readonly lists: IssueListsService,
    private readonly leases: HeldLeasesRepository,
    private readonly pages: IssuePagesService,
    private readonly projects: ProjectsService,
    private readonly goals: GoalsService,
  ) {}

  /** Lists the agent's issues, last changed first, because an agent needs those that it worked on recently. */
  async mine(agent: AgentPrincipal, given: Given, holder: LeaseHolder | null): Promise<object> {
    const asked = await argumentsAs(MyIssuesArguments, given);
    const held = holder ? await this.leases.list(agent.id, holder) : [];
    return this.page(agent, { ...asked, assigneeId: agent.id, sort: '-updatedAt' }, held);
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

  /**
   * A page that would be too long for a model ends earlier.
   * @param held the leases whose tokens the caller sees; absent for a list that shows none
   */
  private async page(agent: AgentPrincipal, asked: ListIssuesArguments, held?: HeldLease[]): Promise<object> {
    const page = await this.lists.read(agent, { ...asked, fields: 'summary', count: false });
    const tokens = held && fittingFirst(held.map(heldIssue), HELD_CHARACTERS);
    const tokenOf = new Map(held?.map(({ issueId, token }) => [issueId, token]));
    const rows = page.rows.map((row) => ({
      ...(tokenOf.has(row.id) && { leaseToken: tokenOf.get(row.id) }),
      ...IssueSummaryResponse.from(row, agent),
    }));
    const issues = fittingFirst(rows, RESULT_CHARACTERS - FRAME_CHARACTERS - (tokens ? sizeOf(tokens) : 0));
    const last = page.rows[issues.length - 1];
    const next = last && issues.length < page.rows.length ? sortKeyOf(asked.sort, last) : page.next;
    return {
      ...(tokens && { held: tokens }),
      issues,
      nextCursor: next && encodeCursor(next, nameOfOrder(asked)),
    };
  }

  async get(agent: AgentPrincipal, given: Given): Promise<object> {
    const { issueId, descriptionOffset, commentsCursor, linksOffset } = await argumentsAs(
      GetIssueArguments,
      given,
    );
    const comments = commentsCursor === undefined ? undefined : commentsFrom(commentsCursor);
    return this.pages.of(agent, issueId, { start: { descriptionOffset, comments, linksOffset } });
  }
}

function heldIssue({ key, issueId: id, token: leaseToken, expiresAt: leaseExpiresAt }: HeldLease) {
  return { key, id, leaseToken, leaseExpiresAt };
}
