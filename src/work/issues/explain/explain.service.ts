import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../platform/auth/principal.js';
import { Settings } from '../../../platform/config/settings.js';
import { NotFound } from '../../../platform/http/problem.js';
import { IssueAccess } from '../issue-access.js';
import { ExplainRepository } from './explain.repository.js';
import type { IssueFacts } from './issue-facts.js';

/** Finds out why an issue is not being worked on (spec §5.2). */
@Injectable()
export class ExplainService {
  constructor(
    private readonly access: IssueAccess,
    private readonly issues: ExplainRepository,
    private readonly settings: Settings,
  ) {}

  /** A worker that lives is heard of before its lease runs out: an agent silent for longer is not there. */
  async facts(caller: Principal, reference: string): Promise<IssueFacts> {
    const { id } = await this.access.get(caller, reference, 'Viewer');
    const facts = await this.issues.facts(id, this.settings.leaseSeconds);
    if (!facts) throw new NotFound();
    return facts;
  }
}
