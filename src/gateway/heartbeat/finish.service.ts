import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { validate as isUuid } from 'uuid';
import type { AgentPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { canonicalJson } from '../../platform/json/exact-json.js';
import { CommentsService } from '../../work/comments/comments.service.js';
import { IssueSummaryResponse } from '../../work/issue-reading/issue.response.js';
import { IssueAccessService } from '../../work/issue-status/issue-access.service.js';
import { Issue } from '../../work/issue-status/issue.entity.js';
import { IssueRepository } from '../../work/issue-status/issue.repository.js';
import { LeaseFinishesService } from '../../work/leases/lease-finishes.service.js';
import { UsageReportsService } from '../../work/usage/usage-reports.service.js';
import type { FinishRequest, ReleaseRequest } from './heartbeat.request.js';
import type { FinishResponse } from './heartbeat.response.js';
import { HeartbeatRepository } from './heartbeat.repository.js';

/** Hands in or gives back the work of a lease, with its comment and files in one transaction (contract §7.2). */
@Injectable()
export class FinishService {
  constructor(
    private readonly access: IssueAccessService,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly finishes: LeaseFinishesService,
    private readonly comments: CommentsService,
    private readonly files: HeartbeatRepository,
    private readonly usage: UsageReportsService,
  ) {}

  async finish(caller: AgentPrincipal, reference: string, body: FinishRequest): Promise<FinishResponse> {
    const { token, status, reason = null, comment, attachmentIds = [] } = body;
    const issue = await this.access.get(caller, reference, 'Editor');
    let commentId: string | null = null;
    const before = async () => {
      await this.refuseForeignFiles(issue.id, attachmentIds);
      if (comment !== undefined) commentId = (await this.comments.add(caller, issue, comment)).id;
    };
    const respond = async () => ({ issue: await this.issue(caller, issue.id), commentId, attachmentIds });
    const call = { token, outcome: status, reason, request: canonicalJson(body) };
    return this.usage.countBefore(caller, { usage: body.usage, issueId: issue.id }, () =>
      this.finishes.finish(caller, issue.id, call, { before, respond }),
    );
  }

  async release(caller: AgentPrincipal, reference: string, body: ReleaseRequest): Promise<FinishResponse> {
    const { token, reason = null, retryAfterSeconds = 0 } = body;
    const issue = await this.access.get(caller, reference, 'Editor');
    const before = () => Promise.resolve();
    const respond = async () => ({
      issue: await this.issue(caller, issue.id),
      commentId: null,
      attachmentIds: [],
    });
    const request = canonicalJson(body);
    const call = { token, outcome: 'released' as const, reason, retryAfterSeconds, request };
    return this.finishes.finish(caller, issue.id, call, { before, respond });
  }

  private async issue(caller: AgentPrincipal, id: string): Promise<IssueSummaryResponse> {
    return IssueSummaryResponse.from((await this.issues.read(id))!, caller);
  }

  private async refuseForeignFiles(issueId: string, ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    const found = new Set(
      await this.files.filesAmong(
        issueId,
        ids.filter((id) => isUuid(id)),
      ),
    );
    const errors = ids.flatMap((id, at) =>
      found.has(id) ? [] : [{ path: `attachmentIds[${at}]`, message: 'names no attachment of this issue' }],
    );
    if (errors.length > 0) throw new ValidationFailed(errors);
  }
}
