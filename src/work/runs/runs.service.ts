import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import type { AgentPrincipal, Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import { prepared } from '../../platform/database/service.client.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { Attachment } from '../attachments/attachment.entity.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { IssueRun, type RunRow } from './issue-run.entity.js';
import type { ReportRunRequest } from './run.dto.js';
import { LeaseLost } from '../leases/lease-token-checks-renewals-heartbeat-interval.service.js';

/** A run that reported no end is over when its lease is: the worker died, or another one has the issue. */
const COLUMNS = `
  r.token::float8 AS token, json_build_object('id', a.id, 'name', a.name) AS agent,
  CASE WHEN r.stopped IS NOT NULL THEN 'stopped'
       WHEN l.token = r.token AND l.agent_id = r.agent_id AND l.expires_at > now() THEN 'running'
       ELSE 'lost' END AS state,
  r.session, r.turns, r.tokens::float8 AS tokens, r.cost_micros::float8 AS "costMicros", r.output, r.log_id AS "logId",
  r.stopped, r.started_at AS "startedAt", r.reported_at AS "reportedAt", r.stopped_at AS "stoppedAt"`;

const RUNS = `issue_runs r JOIN agents a ON a.id = r.agent_id LEFT JOIN issue_leases l ON l.issue_id = r.issue_id`;

/**
 * The newest lease of the issue begins a run, also where it has just ended; an older one may only complete its own. The
 * lock keeps the issue until the row refers to it.
 */
const REPORT = prepared(
  'runs.report',
  `INSERT INTO issue_runs AS r (issue_id, token, agent_id, session, turns, tokens, cost_micros, output, log_id, stopped, stopped_at)
   SELECT i.id, $2::bigint, $3::uuid, $4, coalesce($5, 0), coalesce($6, 0), coalesce($7, 0), coalesce($8, ''), $9::uuid, $10,
          CASE WHEN $10::text IS NOT NULL THEN now() END
   FROM issues i WHERE i.id = $1 AND (
     EXISTS (SELECT FROM issue_leases WHERE issue_id = $1 AND token = $2 AND agent_id = $3) OR
     EXISTS (SELECT FROM issue_runs WHERE issue_id = $1 AND token = $2 AND agent_id = $3))
   FOR KEY SHARE OF i
   ON CONFLICT (issue_id, token) DO UPDATE SET
     session = coalesce($4, r.session), turns = coalesce($5, r.turns), tokens = coalesce($6, r.tokens),
     cost_micros = coalesce($7, r.cost_micros), output = coalesce($8, r.output), log_id = coalesce($9, r.log_id),
     stopped = coalesce($10, r.stopped), stopped_at = coalesce(r.stopped_at, excluded.stopped_at), reported_at = now()
   RETURNING token`,
);

/** The statements about runs, which stay SQL (decision 0053). */
@Injectable()
export class IssueRunRepository extends Repository<IssueRun> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(IssueRun, source.manager);
  }

  /**
   * SQL: workers report in each turn, and the lease is checked in the same statement. What is absent stays as it is.
   * @returns false when the agent has had no such lease of the issue
   */
  async report(agentId: string, issueId: string, report: ReportRunRequest): Promise<boolean> {
    const { token, session, turns, tokens, costMicros, output, logId, stopped } = report;
    const values = [session, turns, tokens, costMicros, output, logId, stopped].map((value) => value ?? null);
    const rows = await this.query<unknown[]>(REPORT, [issueId, token, agentId, ...values]);
    return rows.length > 0;
  }

  /** SQL: a keyset page, newest first. */
  list(issueId: string, page: PageRequest): Promise<Page<RunRow>> {
    const list = {
      columns: COLUMNS,
      from: RUNS,
      countedFrom: 'issue_runs r',
      where: 'r.issue_id = $1',
      parameters: [issueId],
      order: [{ column: 'r.token', type: 'bigint' }],
      descending: true,
      keyOf: (row: RunRow) => [row.token],
    };
    return this.pages.read<RunRow>(list, page);
  }
}

/** Takes the reports of workers on their runs, and lists them (contract §7.11). */
@Injectable()
export class RunsService {
  constructor(
    private readonly access: IssueAccessService,
    @InjectRepository(IssueRun) private readonly runs: IssueRunRepository,
    @InjectRepository(Attachment) private readonly attachments: Repository<Attachment>,
  ) {}

  async list(caller: Principal, reference: string, page: PageRequest): Promise<Page<RunRow>> {
    const { id } = await this.access.get(caller, reference, 'Viewer');
    return this.runs.list(id, page);
  }

  /**
   * A report decides nothing: it neither renews a lease nor ends one, and may come after its end.
   * @throws {LeaseLost} for a token that is not one of the agent's own leases
   * @throws {ValidationFailed} for a log that is no attachment of the issue
   */
  async report(caller: AgentPrincipal, reference: string, report: ReportRunRequest): Promise<void> {
    const { id: issueId } = await this.access.get(caller, reference, 'Viewer');
    const { logId } = report;
    if (logId !== undefined && !(await this.attachments.existsBy({ id: logId, issueId })))
      throw new ValidationFailed([{ path: 'logId', message: 'names no attachment of this issue' }]);
    if (!(await this.runs.report(caller.id, issueId, report))) throw new LeaseLost('lease_lost');
  }
}
