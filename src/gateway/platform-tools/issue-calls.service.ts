import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { encodeCursor, OLDEST_FIRST, pageRequest } from '../../platform/http/page-and-cursor.query.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { AttachmentReadingService } from '../../work/attachments/attachment-download-and-reading.service.js';
import { AttachmentUploadService } from '../../work/attachments/attachment-upload.service.js';
import { AttachmentResponse } from '../../work/attachments/attachment.dto.js';
import { AttachmentsService } from '../../work/attachments/attachments.service.js';
import { CommentResponse, WriteCommentRequest } from '../../work/comments/comment.dto.js';
import { CommentsService } from '../../work/comments/comments.service.js';
import { GoalResponse } from '../../work/goals/goal.dto.js';
import { GoalsService } from '../../work/goals/goals.service.js';
import { IssueListsService } from '../../work/issue-reading/issue-lists-and-agent-work.service.js';
import { nameOfOrder } from '../../work/issue-reading/issue-search.js';
import { sortKeyOf } from '../../work/issue-reading/issue-filter-and-order.js';
import { IssueResponse, IssueSummaryResponse } from '../../work/issue-reading/issue.response.js';
import { IssueAccessService } from '../../work/issue-status/issue-access.service.js';
import { IssueCreationService } from '../../work/issues/issue-creation.service.js';
import { IssueUpdateService } from '../../work/issues/issue-update-version-and-event.service.js';
import { CreateIssueRequest, UpdateIssueRequest } from '../../work/issues/issue.request.js';
import {
  type HeldLease,
  McpLeasesRepository,
  type LeaseHolder,
} from '../../work/leases/mcp-leases.service.js';
import { CreateLinkRequest, LinkResponse } from '../../work/links/link.dto.js';
import { IssueLinksService } from '../../work/links/links.service.js';
import { PlanRequest } from '../../work/plans/plan.dto.js';
import { type PlannedIssue, type PlanPreview, PlansService } from '../../work/plans/plans.service.js';
import { ProjectsService } from '../../work/projects/projects.service.js';
import { WithImage } from '../calls/tool-results-and-refusals.js';
import {
  AddAttachmentArguments,
  argumentsAs,
  ChangeIssueArguments,
  GetIssueArguments,
  GoalArguments,
  IssueArguments,
  LinkArguments,
  ListAttachmentsArguments,
  ListIssuesArguments,
  MyIssuesArguments,
  ProjectArguments,
  ReadAttachmentArguments,
} from './arguments.js';
import {
  commentsFrom,
  fittingFirst,
  FRAME_CHARACTERS,
  IssuePagesService,
  RESULT_CHARACTERS,
  sizeOf,
} from './result-pages.service.js';

type Given = Record<string, unknown>;

/** The tools that create and change issues. */
@Injectable()
export class IssueWritingService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly creation: IssueCreationService,
    private readonly updates: IssueUpdateService,
    private readonly plans: PlansService,
  ) {}

  async create(agent: AgentPrincipal, { projectId: named, ...body }: Given): Promise<object> {
    const { projectId } = await argumentsAs(ProjectArguments, { projectId: named });
    const request = await argumentsAs(CreateIssueRequest, body);
    const project = await this.projects.get(agent, projectId, 'Editor');
    return { issue: IssueResponse.from(await this.creation.create(agent, project, request), agent) };
  }

  async plan(agent: AgentPrincipal, { projectId: named, ...body }: Given): Promise<object> {
    const { projectId } = await argumentsAs(ProjectArguments, { projectId: named });
    const { issues, dryRun } = await argumentsAs(PlanRequest, body);
    const project = await this.projects.get(agent, projectId, 'Editor');
    if (dryRun) return checkedPlan(await this.plans.check(agent, project, issues));
    return createdPlan(await this.plans.create(agent, project, issues));
  }

  async update(
    agent: AgentPrincipal,
    { issueId: named, leaseToken: token, ...body }: Given,
  ): Promise<object> {
    const { issueId, leaseToken = null } = await argumentsAs(ChangeIssueArguments, {
      issueId: named,
      leaseToken: token,
    });
    const request = await argumentsAs(UpdateIssueRequest, body);
    const issue = await this.updates.update(agent, issueId, request, { leaseToken });
    return { issue: IssueResponse.from(issue, agent) };
  }
}

function checkedPlan(preview: PlanPreview): object {
  const room = RESULT_CHARACTERS - FRAME_CHARACTERS;
  if (sizeOf(preview) <= room) return { ...preview, more: 0 };
  const [issues, order, critical] = [preview.issues, preview.order, preview.critical].map((list) =>
    fittingFirst<unknown>(list, room / 3),
  ) as [unknown[], unknown[], unknown[]];
  return { issues, order, critical, more: preview.issues.length - issues.length };
}

/** A plan that would be too long for a model is shown without ids, and then as far as it fits: the keys follow each other. */
function createdPlan(created: readonly PlannedIssue[]): object {
  const room = RESULT_CHARACTERS - FRAME_CHARACTERS;
  if (sizeOf(created) <= room) return { issues: created, more: 0 };
  const issues = fittingFirst(
    created.map(({ ref, key, status }) => ({ ref, key, status })),
    room,
  );
  return { issues, more: created.length - issues.length };
}

/** The tools that comment on issues and link them. */
@Injectable()
export class CommentsAndLinksService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly comments: CommentsService,
    private readonly links: IssueLinksService,
  ) {}

  async comment(agent: AgentPrincipal, { issueId: named, ...body }: Given): Promise<object> {
    const { issueId } = await argumentsAs(IssueArguments, { issueId: named });
    const { content, authorType } = await argumentsAs(WriteCommentRequest, body);
    const issue = await this.access.get(agent, issueId, 'Editor');
    return { comment: CommentResponse.from(await this.comments.add(agent, issue, content, authorType)) };
  }

  async link(agent: AgentPrincipal, { issueId: named, ...body }: Given): Promise<object> {
    const { issueId } = await argumentsAs(IssueArguments, { issueId: named });
    const { targetIssueId, linkType } = await argumentsAs(CreateLinkRequest, body);
    const issue = await this.access.get(agent, issueId, 'Editor');
    return { link: LinkResponse.from(await this.links.create(agent, issue, targetIssueId, linkType)) };
  }

  async unlink(agent: AgentPrincipal, given: Given): Promise<object> {
    const { issueId, linkId } = await argumentsAs(LinkArguments, given);
    await this.links.delete(agent, linkId, await this.access.get(agent, issueId, 'Editor'));
    return { linkId };
  }
}

/** The most characters of the leases that a caller holds, which are about 100. */
const HELD_CHARACTERS = 20_000;

/** The tools that read issues and goals. */
@Injectable()
export class IssueReadingService {
  constructor(
    private readonly lists: IssueListsService,
    private readonly leases: McpLeasesRepository,
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
  private async page(
    agent: AgentPrincipal,
    { labels: label, ...asked }: ListIssuesArguments,
    held?: HeldLease[],
  ): Promise<object> {
    const several = (value?: string) => (value === undefined ? undefined : [value]);
    const page = await this.lists.read(agent, {
      ...asked,
      assigneeId: several(asked.assigneeId),
      goalId: several(asked.goalId),
      parentId: several(asked.parentId),
      priority: asked.priority && [asked.priority],
      label,
      fields: 'summary',
      count: false,
    });
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

/** The tools that list, read and add the files of issues. */
@Injectable()
export class IssueFilesService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly attachments: AttachmentsService,
    private readonly reading: AttachmentReadingService,
    private readonly uploads: AttachmentUploadService,
  ) {}

  async list(agent: AgentPrincipal, given: Given): Promise<object> {
    const { issueId, ...asked } = await argumentsAs(ListAttachmentsArguments, given);
    const issue = await this.access.get(agent, issueId, 'Viewer');
    const page = await this.attachments.list(issue, pageRequest({ ...asked, count: false }));
    const attachments = fittingFirst(
      page.rows.map(AttachmentResponse.from),
      RESULT_CHARACTERS - FRAME_CHARACTERS,
    );
    const last = page.rows[attachments.length - 1];
    const isCut = last && attachments.length < page.rows.length;
    const next = isCut ? [last.createdAt.toISOString(), last.id] : page.next;
    return { attachments, nextCursor: next && encodeCursor(next, OLDEST_FIRST) };
  }

  async read(agent: AgentPrincipal, given: Given): Promise<object> {
    const { attachmentId, offset } = await argumentsAs(ReadAttachmentArguments, given);
    const row = await this.attachments.get(agent, attachmentId);
    const attachment = AttachmentResponse.from(row);
    const image = await this.reading.image(agent, row);
    if (image) {
      const seen = { data: image.toString('base64'), mimeType: row.contentType };
      return new WithImage({ attachment, text: null, nextOffset: null }, seen);
    }
    return { attachment, ...(await this.reading.text(agent, row, offset)) };
  }

  async add(agent: AgentPrincipal, given: Given): Promise<object> {
    const { issueId, filename, contentType, text, base64 } = await argumentsAs(AddAttachmentArguments, given);
    if ((text === undefined) === (base64 === undefined))
      throw new ValidationFailed([
        { path: 'text', message: 'is required, or base64 in its place, and not both' },
      ]);
    const bytes = text === undefined ? Buffer.from(base64!, 'base64') : Buffer.from(text, 'utf8');
    const type = contentType ?? (text === undefined ? 'application/octet-stream' : 'text/plain');
    return { attachment: await this.uploads.add(agent, issueId, { filename, contentType: type, bytes }) };
  }
}
