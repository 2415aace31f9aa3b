import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { FIGURES } from '../../agents/usage-figures.response.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import { type Page, type PageRequest, pageRequest } from '../../platform/http/page-and-cursor.query.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { parseIssueReference } from '../issue-status/issue-row-and-references.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository } from '../issue-status/issue.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { visibilityOf } from '../projects/visibility.js';
import type { UsageGroup, UsageGroupRow, UsageQuery } from './usage.dto.js';

/** The filters of an evaluation. An undefined one matches everything. */
export interface UsageFilter {
  from: Date;
  to: Date;
  agentId?: string;
  projectId?: string;
  issueId?: string;
  model?: string;
}

const DAY = `to_char(u.hour AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

const GROUPS: Record<UsageGroup, { key: string; label: string }> = {
  agent: { key: 'u.agent_id::text', label: 'max(g.name)' },
  project: { key: 'u.project_id::text', label: 'max(p.name)' },
  issue: { key: 'u.issue_id::text', label: `max(p.key || '-' || i.number || ' ' || i.title)` },
  model: { key: 'u.model', label: 'max(u.model)' },
  day: { key: DAY, label: `max(${DAY})` },
};

const FILTERS: Record<Exclude<keyof UsageFilter, 'from' | 'to'>, string> = {
  agentId: 'u.agent_id',
  projectId: 'u.project_id',
  issueId: 'u.issue_id',
  model: 'u.model',
};

/** Evaluates the sums of usage per hour. */
@Injectable()
export class UsageEvaluationRepository {
  constructor(private readonly pages: KeysetPagesService) {}

  /**
   * Lists the groups by key. Usage in projects that the caller does not see is left out; usage without a project is
   * everybody's. The window counts in whole hours.
   */
  list(
    caller: Principal,
    groupBy: UsageGroup,
    filter: UsageFilter,
    page: PageRequest,
  ): Promise<Page<UsageGroupRow>> {
    const { key, label } = GROUPS[groupBy];
    const names = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).filter(
      (name) => filter[name] !== undefined,
    );
    const conditions = names.map((name, at) => `${FILTERS[name]} = $${at + 3}`);
    const visibility = visibilityOf(caller, 'p', names.length + 3);
    const groups = `
      SELECT ${key} AS key, ${label} AS label, ${FIGURES} AS figures
      FROM usage_hours u LEFT JOIN agents g ON g.id = u.agent_id LEFT JOIN projects p ON p.id = u.project_id
      LEFT JOIN issues i ON i.id = u.issue_id ${visibility.membership}
      WHERE u.hour >= date_trunc('hour', $1::timestamptz, 'UTC') AND u.hour < $2::timestamptz
        AND ${['true', ...conditions].join(' AND ')} AND (u.project_id IS NULL OR ${visibility.seen})
      GROUP BY ${key}`;
    return this.pages.read<UsageGroupRow>(
      {
        columns: 'usage.key, usage.label, usage.figures',
        from: `(${groups}) AS usage`,
        where: 'true',
        parameters: [filter.from, filter.to, ...names.map((name) => filter[name]), ...visibility.parameters],
        order: [{ column: `coalesce(usage.key, '') COLLATE "C"`, type: 'text' }],
        keyOf: (row) => [row.key ?? ''],
      },
      page,
    );
  }
}

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
