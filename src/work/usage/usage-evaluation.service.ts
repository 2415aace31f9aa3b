import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Principal } from '../../platform/authentication/principal.js';
import { type Page, pageRequest } from '../../platform/http/page.query.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { parseIssueReference } from '../issue-status/issue-row.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository } from '../issue-status/issue.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import {
  UsageEvaluationRepository,
  type UsageFilter,
  type UsageGroupRow,
} from './usage-evaluation.repository.js';
import type { UsageQuery } from './usage.dto.js';

export const BY_KEY = 'key';

const DEFAULT_WINDOW_MS = 30 * 86_400_000;

/** Evaluates usage (contract §7.8): people see that of the projects that they see, an agent its own. */
@Injectable()
export class UsageEvaluationService {
  constructor(
    private readonly usage: UsageEvaluationRepository,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly projects: ProjectsService,
  ) {}

  async list(caller: Principal, query: UsageQuery): Promise<Page<UsageGroupRow>> {
    const page = pageRequest(query, BY_KEY);
    const filter = await this.filterOf(caller, query);
    if (filter.from > filter.to)
      throw new ValidationFailed([{ path: 'from', message: 'must be before "to"' }]);
    if (caller.type === 'agent' && filter.agentId !== caller.id) return { rows: [], next: null, total: 0 };
    return this.usage.list(caller, query.groupBy, filter, page);
  }

  private async filterOf(caller: Principal, query: UsageQuery): Promise<UsageFilter> {
    const to = query.to ?? new Date();
    const from = query.from ?? new Date(to.getTime() - DEFAULT_WINDOW_MS);
    const agentId = query.agentId ?? (caller.type === 'agent' ? caller.id : undefined);
    const [projectId, issueId] = [await this.projectOf(caller, query), await this.issueOf(caller, query)];
    return { from, to, agentId, projectId, issueId, model: query.model };
  }

  private async projectOf(caller: Principal, { projectId }: UsageQuery): Promise<string | undefined> {
    if (projectId === undefined) return undefined;
    try {
      return (await this.projects.get(caller, projectId)).id;
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      throw new ValidationFailed([{ path: 'projectId', message: 'names no project that you see' }]);
    }
  }

  /** The usage of a deleted issue is found by the issue's id. */
  private async issueOf(caller: Principal, { issueId }: UsageQuery): Promise<string | undefined> {
    if (issueId === undefined) return undefined;
    const reference = parseIssueReference(issueId);
    if (reference && 'id' in reference) return reference.id;
    const issue = reference && (await this.issues.findSeen(caller, issueId));
    if (!issue) throw new ValidationFailed([{ path: 'issueId', message: 'names no issue that you see' }]);
    return issue.id;
  }
}
