import { Injectable } from '@nestjs/common';
import { FIGURES, type UsageFigures } from '../../agents/usage-figures.response.js';
import type { Principal } from '../../platform/authentication/principal.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page.query.js';
import { visibilityOf } from '../projects/visibility.js';

/** What usage can be grouped by. */
export const usageGroups = ['agent', 'project', 'issue', 'model', 'day'] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** The filters of an evaluation. An undefined one matches everything. */
export interface UsageFilter {
  from: Date;
  to: Date;
  agentId?: string;
  projectId?: string;
  issueId?: string;
  model?: string;
}

/** The usage of one agent, project, issue, model or day; `key` null where usage belongs to none. */
export interface UsageGroupRow {
  key: string | null;
  label: string | null;
  figures: UsageFigures;
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
