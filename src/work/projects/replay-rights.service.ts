import { Injectable, type OnModuleInit } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Principal, Role } from '../../platform/authentication/principal.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import {
  RepeatedRequestsService,
  type ReplayRights,
} from '../../platform/idempotency/repeated-requests.service.js';
import { ProjectsService } from './projects.service.js';

/** Finds projects by what lies in them. Whether the caller sees them is decided by the request itself. */
@Injectable()
export class ReplayRightsRepository {
  constructor(private readonly database: DatabaseService) {}

  async findById(id: string): Promise<string | null> {
    return this.projectIn(
      `SELECT id AS project FROM projects WHERE id = $1
       UNION ALL SELECT project_id FROM issues WHERE id = $1
       UNION ALL SELECT project_id FROM goals WHERE id = $1
       UNION ALL SELECT i.project_id FROM comments c JOIN issues i ON i.id = c.issue_id WHERE c.id = $1
       UNION ALL SELECT i.project_id FROM attachments f JOIN issues i ON i.id = f.issue_id WHERE f.id = $1
       UNION ALL SELECT project_id FROM gates WHERE id = $1
       UNION ALL SELECT i.project_id FROM issue_links l JOIN issues i ON i.id = l.source_issue_id WHERE l.id = $1`,
      [id],
    );
  }

  async findByKey(key: string): Promise<string | null> {
    return this.projectIn(
      `SELECT p.id AS project FROM projects p
       WHERE p.key = split_part($1, '-', 1) AND (p.key = $1 OR EXISTS (
         SELECT 1 FROM issues i WHERE i.project_id = p.id AND p.key || '-' || i.number = $1))`,
      [key],
    );
  }

  async exists(projectId: string): Promise<boolean> {
    return (await this.database.row('SELECT 1 FROM projects WHERE id = $1', [projectId])) !== null;
  }

  private async projectIn(sql: string, parameters: unknown[]): Promise<string | null> {
    return (await this.database.row<{ project: string }>(sql, parameters))?.project ?? null;
  }
}

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
