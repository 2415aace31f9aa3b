import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { AgentPrincipal, Principal } from '../../platform/authentication/principal.js';
import type { Page, PageRequest } from '../../platform/http/page.query.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { Attachment } from '../attachments/attachment.entity.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { LeaseLost } from '../issue-status/issues.errors.js';
import { IssueRun } from './issue-run.entity.js';
import { IssueRunRepository, type RunRow } from './issue-run.repository.js';
import type { ReportRunRequest } from './run.request.js';

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
