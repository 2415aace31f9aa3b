import { Injectable } from '@nestjs/common';
import type { Principal, Role } from '../../platform/authentication/principal.js';
import { requireRole } from '../projects/visibility.js';
import { IssuesRepository, type SeenIssue, type WholeIssue } from './issue.repository.js';

/** Finds the issue that a path names, and checks the caller's role in its project, in one query. */
@Injectable()
export class IssueAccessService {
  constructor(private readonly issues: IssuesRepository) {}

  /** @throws {NotFound | RoleTooLow} (contract §1) */
  async get(caller: Principal, reference: string, threshold: Role): Promise<SeenIssue> {
    return requireRole(caller, await this.issues.findSeen(caller, reference), threshold);
  }

  /** Returns the whole issue, for a response. @throws {NotFound} (contract §1) */
  async read(caller: Principal, reference: string): Promise<WholeIssue> {
    return requireRole(caller, await this.issues.findWhole(caller, reference), 'Viewer');
  }
}
