import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/auth/principal.js';
import type { Role } from '../../platform/auth/roles.js';
import { fitsIfMatch, parseIfMatch } from '../../platform/http/entity-tag.js';
import { requireRole } from '../projects/require-role.js';
import { VersionMismatch } from './issues.errors.js';
import { IssuesRepository, type SeenIssue } from './issues.repository.js';

/** The issue of a path, for a caller: existence and role in one query. */
@Injectable()
export class IssueAccess {
  constructor(private readonly issues: IssuesRepository) {}

  /** @throws NotFound or RoleTooLow (spec §1) */
  async get(caller: Principal, reference: string, threshold: Role): Promise<SeenIssue> {
    return requireRole(caller, await this.issues.findSeen(caller, reference), threshold);
  }
}

/** @throws VersionMismatch where `If-Match` names another version than the present one */
export function refuseStale(ifMatch: string | undefined, version: number): void {
  if (ifMatch !== undefined && !fitsIfMatch(parseIfMatch(ifMatch), version))
    throw new VersionMismatch(version);
}
