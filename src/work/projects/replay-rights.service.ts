import { Injectable, type OnModuleInit } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/auth/principal.js';
import type { Role } from '../../platform/auth/roles.js';
import type { ReplayRights } from '../../platform/http/idempotency/replay-rights.js';
import { RepeatedRequestsService } from '../../platform/http/idempotency/repeated-requests.service.js';
import { ProjectsService } from './projects.service.js';
import { ReplayRightsRepository } from './replay-rights.repository.js';

/** Checks that a caller may still do in a project what it did, before its stored response is returned (contract §1.7). */
@Injectable()
export class ReplayRightsService implements ReplayRights, OnModuleInit {
  constructor(
    private readonly requests: RepeatedRequestsService,
    private readonly projects: ProjectsService,
    private readonly repository: ReplayRightsRepository,
  ) {}

  onModuleInit(): void {
    this.requests.use(this);
  }

  /** The objects that paths name have ids of their own, except issues, which have keys too. */
  async projectOf(parameters: Readonly<Record<string, unknown>>): Promise<string | null> {
    const [reference] = Object.values(parameters).filter((value) => typeof value === 'string');
    if (reference === undefined) return null;
    return isUuid(reference) ? this.repository.findById(reference) : this.repository.findByKey(reference);
  }

  async require(caller: Principal, projectId: string, threshold: Role): Promise<void> {
    if (await this.repository.exists(projectId)) await this.projects.get(caller, projectId, threshold);
  }
}
