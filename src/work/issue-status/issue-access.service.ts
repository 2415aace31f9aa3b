import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Principal, Role } from '../../platform/authentication/principals-and-roles.js';
import { requireRole } from '../projects/visibility.js';
import { Issue } from './issue.entity.js';
import { IssueRepository, type SeenIssue, type WholeIssue } from './issue.repository.js';
import { Problem } from '../../platform/http/problem.js';

/** Refuses what only the agent of an issue may do to it. @throws {NotYours} (contract §2) */
export function requireAssigned(
  agentId: string,
  { assignedAgentId }: { assignedAgentId: string | null },
): void {
  if (assignedAgentId !== agentId) throw new NotYours();
}

/** Finds the issue that a path names, and checks the caller's role in its project, in one query. */
@Injectable()
export class IssueAccessService {
  constructor(@InjectRepository(Issue) private readonly issues: IssueRepository) {}

  /** @throws {NotFound | RoleTooLow} (contract §1) */
  async get(caller: Principal, reference: string, threshold: Role): Promise<SeenIssue> {
    return requireRole(caller, await this.issues.findSeen(caller, reference), threshold);
  }

  /** Returns the whole issue, for a response. @throws {NotFound} (contract §1) */
  async read(caller: Principal, reference: string): Promise<WholeIssue> {
    return requireRole(caller, await this.issues.findWhole(caller, reference), 'Viewer');
  }
}

/** 403: an agent changes only the issues that are assigned to it (contract §2.2). */
export class NotYours extends Problem {
  constructor() {
    super('not_yours', 'An agent updates only the issues that are assigned to it.');
  }
}
