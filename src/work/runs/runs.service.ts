import { Injectable } from '@nestjs/common';
import type { AgentPrincipal } from '../../platform/auth/principal.js';
import { ValidationFailed } from '../../platform/http/problem/problem.js';
import { IssueAccessService } from '../issues/issue-access.service.js';
import { LeaseLost } from '../issues/issues.errors.js';
import type { ReportRunRequest } from './dto/report-run.request.js';
import { RunsRepository } from './runs.repository.js';

/** Takes the reports of workers on their runs (contract §7.11). */
@Injectable()
export class RunsService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly runs: RunsRepository,
  ) {}

  /**
   * A report decides nothing: it neither renews a lease nor ends one, and may come after its end.
   * @throws {LeaseLost} for a token that is not one of the agent's own leases
   * @throws {ValidationFailed} for a log that is no attachment of the issue
   */
  async report(caller: AgentPrincipal, reference: string, report: ReportRunRequest): Promise<void> {
    const { id } = await this.access.get(caller, reference, 'Viewer');
    const { token, session, turns, tokens, costMicros, output, logId, stopped } = report;
    if (logId !== undefined && !(await this.runs.isFileOf(id, logId)))
      throw new ValidationFailed([{ path: 'logId', message: 'names no attachment of this issue' }]);
    const isKnown = await this.runs.report(caller.id, id, {
      token,
      session: session ?? null,
      turns: turns ?? null,
      tokens: tokens ?? null,
      costMicros: costMicros ?? null,
      output: output ?? null,
      logId: logId ?? null,
      stopped: stopped ?? null,
    });
    if (!isKnown) throw new LeaseLost('lease_lost');
  }
}
