import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Principal, Role } from '../../platform/authentication/principal.js';
import {
  SealedResponsesService,
  type ReplayRights,
} from '../../platform/idempotency/sealed-responses.service.js';
import { Project } from './project.entity.js';
import { ProjectsService } from './projects.service.js';

/** SQL: a union of the tables of modules above. Finds the project of the object with an id. */
const BY_ID = `
  SELECT id AS project FROM projects WHERE id = $1
  UNION ALL SELECT project_id FROM issues WHERE id = $1
  UNION ALL SELECT project_id FROM goals WHERE id = $1
  UNION ALL SELECT i.project_id FROM comments c JOIN issues i ON i.id = c.issue_id WHERE c.id = $1
  UNION ALL SELECT i.project_id FROM attachments f JOIN issues i ON i.id = f.issue_id WHERE f.id = $1
  UNION ALL SELECT project_id FROM gates WHERE id = $1
  UNION ALL SELECT i.project_id FROM issue_links l JOIN issues i ON i.id = l.source_issue_id WHERE l.id = $1`;

/** SQL: issues have their entity in a module above. Finds a project by its key, or by that of an issue. */
const BY_KEY = `
  SELECT p.id AS project FROM projects p
  WHERE p.key = split_part($1, '-', 1) AND (p.key = $1 OR EXISTS (
    SELECT 1 FROM issues i WHERE i.project_id = p.id AND p.key || '-' || i.number = $1))`;

/** Checks that a caller may still do in a project what it did, before its stored response is returned (contract §1.7). */
@Injectable()
export class ReplayRightsService implements ReplayRights, OnModuleInit {
  constructor(
    private readonly requests: SealedResponsesService,
    private readonly projectsService: ProjectsService,
    @InjectRepository(Project) private readonly projects: Repository<Project>,
  ) {}

  onModuleInit(): void {
    this.requests.use(this);
  }

  /**
   * Finds a project by what lies in it; whether the caller sees that is decided by the request itself. The objects that
   * paths name have ids of their own, except issues, which have keys too.
   */
  async projectOf(parameters: Readonly<Record<string, unknown>>): Promise<string | null> {
    const [reference] = Object.values(parameters).filter((value) => typeof value === 'string');
    if (reference === undefined) return null;
    const sql = isUuid(reference) ? BY_ID : BY_KEY;
    const [found] = await this.projects.query<{ project: string }[]>(sql, [reference]);
    return found?.project ?? null;
  }

  async require(caller: Principal, projectId: string, threshold: Role): Promise<void> {
    if (await this.projects.existsBy({ id: projectId }))
      await this.projectsService.get(caller, projectId, threshold);
  }
}
