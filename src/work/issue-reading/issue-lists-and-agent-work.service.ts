import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import {
  type Page,
  type PageRequest,
  pageRequest,
  sendPageHeaders,
} from '../../platform/http/page-and-cursor.query.js';
import { AgentsService } from '../../agents/agents.service.js';
import {
  ISSUE_COLUMNS,
  ISSUE_TABLES,
  type IssueRow,
  issueTables,
  SUMMARY_COLUMNS,
  type SummaryRow,
} from '../issue-status/issue-row-and-references.js';
import { visibilityOf, visibilityShape } from '../projects/visibility.js';
import { isGivenBack } from '../issue-status/given-back-issues-and-attempts.repository.js';
import {
  conditionsOf,
  type IssueFilter,
  type IssueSort,
  merged,
  nameOfList,
  orderOf,
  sortKeyOf,
} from './issue-filter-and-order.js';
import { isRanked, nameOfOrder, SEARCH_LIMIT, searched } from './issue-search.js';
import {
  type ExplainedIssueResponse,
  IssueResponse,
  IssueSummaryResponse,
  type ListedIssueResponse,
  WhyResponse,
} from './issue.response.js';
import { filterOf, type ListIssuesQuery } from './list-issues-and-activity.query.js';
import { WhyService } from './explain-and-why.service.js';
import type { AgentWorkResponse } from './issue-reading.dto.js';

@Injectable()
export class IssueListRepository {
  constructor(private readonly pages: KeysetPagesService) {}

  /**
   * Returns a page of the matching issues that the caller sees.
   * @param ranked whether the best matches of a search come first, each with its `fit`
   */
  list(
    caller: Principal,
    filter: IssueFilter,
    sort: IssueSort,
    page: PageRequest,
    { summary, ranked }: { summary: boolean; ranked: boolean },
  ): Promise<Page<IssueRow>> {
    const visibility = visibilityOf(caller, 'p', 1);
    const parameters = [...visibility.parameters];
    const bind = (value: unknown) => `$${parameters.push(value)}`;
    const issues = filter.q === undefined ? 'issues' : searched(filter, visibility, bind, ranked);
    const name = nameOfList(filter, sort);
    const where = [visibility.seen, ...conditionsOf(filter, bind)].join(' AND ');
    return this.pages.read<IssueRow & { fit?: number }>(
      {
        name: name && `${name}${summary ? '.summary' : ''}.${visibilityShape(caller)}`,
        columns: `${summary ? SUMMARY_COLUMNS : ISSUE_COLUMNS}${ranked ? ', i.fit' : ''}`,
        from: `${issueTables(issues)} ${visibility.membership}`,
        countedFrom: `${issues} i JOIN projects p ON p.id = i.project_id ${visibility.membership}`,
        where,
        narrowed: filter.q === undefined ? merged(filter, sort, visibility) : undefined,
        parameters,
        ...orderOf(sort, ranked),
        keyOf: (row) => sortKeyOf(sort, row),
        hasShortRows: summary,
      },
      page,
    );
  }
}

/** Serves the two lists of issues: of one project, and of all projects that the caller sees. */
@Injectable()
export class IssueListsService {
  constructor(
    private readonly issues: IssueListRepository,
    private readonly why: WhyService,
  ) {}

  async answer(
    caller: Principal,
    query: ListIssuesQuery & { projectId?: string },
    request: Request,
    response: Response,
  ): Promise<ListedIssueResponse[]> {
    const page = await this.read(caller, query);
    sendPageHeaders(request, response, page, nameOfOrder(query));
    if (query.q !== undefined && page.total === SEARCH_LIMIT)
      response.setHeader('X-Total-Count-Capped', 'true');
    if (query.fields === 'summary,why') return this.explained(caller, page.rows);
    const toResponse = query.fields === 'summary' ? IssueSummaryResponse.from : IssueResponse.from;
    return page.rows.map((row) => toResponse(row, caller) as IssueResponse);
  }

  /** Returns one page of issues that the caller sees; with `fields=summary` without description and links. */
  read(caller: Principal, query: ListIssuesQuery & { projectId?: string }): Promise<Page<IssueRow>> {
    const filter = { ...filterOf(caller, query), ids: query.ids };
    const shape = { summary: query.fields !== undefined, ranked: isRanked(query) };
    return this.issues.list(caller, filter, query.sort, pageRequest(query, nameOfOrder(query)), shape);
  }

  /** Summaries with why no agent works on each. An issue that was deleted since the page was read is left out. */
  async explained(caller: Principal, rows: SummaryRow[]): Promise<ExplainedIssueResponse[]> {
    const whys = await this.why.of(rows.map(({ id }) => id));
    return rows.flatMap((row) => {
      const found = whys.get(row.id);
      if (!found) return [];
      const { why, code } = found;
      return [Object.assign(IssueSummaryResponse.from(row, caller), { why: WhyResponse.from(why), code })];
    });
  }
}

const LIVE = `lease.expires_at > now()`;
const HELD_BACK = `(i.paused OR ${isGivenBack('i.assigned_agent_id')})`;

/** The parts of a queue in the order in which a heartbeat hands them out; the last two are not handed out yet. */
const PARTS = [
  `i.status = 'InProgress' AND NOT coalesce(${LIVE}, false)`,
  `i.status = 'Open' AND NOT coalesce(${HELD_BACK}, false)`,
  `i.status = 'Open' AND coalesce(${HELD_BACK}, false)`,
  `i.status = 'WaitingOnDependency'`,
];

const ORDER = 'priority DESC, created_at, id';

/** What an agent works on and what comes next, as far as the caller sees it. */
@Injectable()
export class AgentWorkRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** The issues that the agent holds a live lease of, oldest status first. */
  running(caller: Principal, agentId: string, limit: number): Promise<SummaryRow[]> {
    const visibility = visibilityOf(caller, 'p', 3);
    return this.source.query<SummaryRow[]>(
      `SELECT ${SUMMARY_COLUMNS} FROM ${ISSUE_TABLES} ${visibility.membership}
       WHERE lease.agent_id = $1 AND ${LIVE} AND ${visibility.seen} ORDER BY i.status_since, i.id LIMIT $2`,
      [agentId, limit, ...visibility.parameters],
    );
  }

  /** The other issues of the agent that are not finished, in the order in which it gets them. */
  next(caller: Principal, agentId: string, limit: number): Promise<SummaryRow[]> {
    const visibility = visibilityOf(caller, 'p', 3);
    const part = (condition: string, rank: number) => `
      (SELECT i.id, i.priority, i.created_at, ${rank} AS rank FROM issues i
       LEFT JOIN issue_leases lease ON lease.issue_id = i.id
       WHERE i.assigned_agent_id = $1 AND ${condition}
         AND i.project_id = ANY(ARRAY(SELECT p.id FROM projects p ${visibility.membership} WHERE ${visibility.seen}))
       ORDER BY ${ORDER} LIMIT $2)`;
    return this.source.query<SummaryRow[]>(
      `SELECT ${SUMMARY_COLUMNS} FROM (
         SELECT id, rank FROM (${PARTS.map(part).join(' UNION ALL ')}) AS parts ORDER BY rank, ${ORDER} LIMIT $2) AS chosen
       JOIN (${ISSUE_TABLES}) ON i.id = chosen.id ORDER BY chosen.rank, i.priority DESC, i.created_at, i.id`,
      [agentId, limit, ...visibility.parameters],
    );
  }
}

/** Shows what an agent works on, and what it gets next (contract §4.2). */
@Injectable()
export class AgentWorkService {
  constructor(
    private readonly agents: AgentsService,
    private readonly work: AgentWorkRepository,
    private readonly lists: IssueListsService,
  ) {}

  async of(caller: Principal, reference: string, limit: number): Promise<AgentWorkResponse> {
    const { id } = await this.agents.get(caller, reference);
    const [running, next] = [
      await this.work.running(caller, id, limit),
      await this.work.next(caller, id, limit),
    ];
    return {
      running: await this.lists.explained(caller, running),
      next: await this.lists.explained(caller, next),
    };
  }
}
