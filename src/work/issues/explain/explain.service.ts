import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/auth/principal.js';
import { Settings } from '../../../platform/config/settings.js';
import { NotFound } from '../../../platform/http/problem/problem.js';
import { IssueAccessService } from '../issue-access.service.js';
import { ExplainRepository } from './explain.repository.js';
import type { IssueFacts } from './issue-facts.js';

/** Finds out why no agent works on an issue (contract §5.2). */
@Injectable()
export class ExplainService {
  constructor(
    private readonly access: IssueAccessService,
    private readonly issues: ExplainRepository,
    private readonly settings: Settings,
  ) {}

  /** A live worker sends a heartbeat before its lease runs out, so an agent that was silent for longer is gone. */
  async facts(caller: Principal, reference: string): Promise<IssueFacts> {
    const { id } = await this.access.get(caller, reference, 'Viewer');
    const facts = await this.issues.facts(id, this.settings.leaseSeconds);
    if (!facts) throw new NotFound();
    return facts;
  }
}
