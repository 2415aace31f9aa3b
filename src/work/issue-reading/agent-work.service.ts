import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AgentsService } from '../../agents/agents.service.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { isGivenBack } from '../issue-status/given-back-issues-and-attempts.repository.js';
import { ISSUE_TABLES, SUMMARY_COLUMNS, type SummaryRow } from '../issue-status/issue-row.js';
import { visibilityOf } from '../projects/visibility.js';
import { IssueListsService } from './issue-lists.service.js';
import type { AgentWorkResponse } from './issue-reading.dto.js';

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
