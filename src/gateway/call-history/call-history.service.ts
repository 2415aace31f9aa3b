import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Principal } from '../../platform/authentication/principal.js';
import { type Page, pageRequest } from '../../platform/http/page.query.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { IssueAccessService } from '../../work/issue-status/issue-access.service.js';
import { Issue } from '../../work/issue-status/issue.entity.js';
import { IssueRepository } from '../../work/issue-status/issue.repository.js';
import {
  CallHistoryRepository,
  type CallRow,
  type CallSummary,
  CallSummaryRepository,
} from './call-history.repository.js';
import type { CallWindowQuery, ListCallsQuery, ListIssueCallsQuery } from './call.dto.js';

export const NEWEST_FIRST = '-calledAt';

const DAY_MS = 86_400_000;
/** A summary reads every record of its window. */
const LONGEST_WINDOW_DAYS = 31;

/** Reads the records of tool calls (contract §8.2). */
@Injectable()
export class CallHistoryService {
  constructor(
    private readonly access: IssueAccessService,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly calls: CallHistoryRepository,
    private readonly summaries: CallSummaryRepository,
  ) {}

  /** @throws {ValidationFailed} for an issue that does not exist */
  async list(caller: Principal, { limit, cursor, count, ...filter }: ListCallsQuery): Promise<Page<CallRow>> {
    const issueId = filter.issueId === undefined ? undefined : await this.idOf(caller, filter.issueId);
    return this.calls.list({ ...filter, issueId }, pageRequest({ limit, cursor, count }, NEWEST_FIRST));
  }

  /** @throws {NotFound | RoleTooLow} unless the caller sees the issue */
  async listOfIssue(
    caller: Principal,
    reference: string,
    { limit, cursor, count, ...filter }: ListIssueCallsQuery,
  ): Promise<Page<CallRow>> {
    const { id } = await this.access.get(caller, reference, 'Viewer');
    return this.calls.list({ ...filter, issueId: id }, pageRequest({ limit, cursor, count }, NEWEST_FIRST));
  }

  /** @throws {ValidationFailed} for a window that is too long, or ends before it begins */
  async summarise(filter: CallWindowQuery): Promise<{ summary: CallSummary; from: Date; to: Date }> {
    const to = filter.to ?? new Date();
    const from = filter.from ?? new Date(to.getTime() - DAY_MS);
    const ms = to.getTime() - from.getTime();
    if (ms < 0 || ms > LONGEST_WINDOW_DAYS * DAY_MS)
      throw new ValidationFailed([
        { path: 'from', message: `must be before "to", by at most ${LONGEST_WINDOW_DAYS} days` },
      ]);
    return { summary: await this.summaries.read({ ...filter, from, to }), from, to };
  }

  private async idOf(caller: Principal, reference: string): Promise<string> {
    const issue = await this.issues.findSeen(caller, reference);
    if (!issue) throw new ValidationFailed([{ path: 'issueId', message: 'names no issue' }]);
    return issue.id;
  }
}
