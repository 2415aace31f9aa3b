import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { QueryDeepPartialEntity } from 'typeorm';
import type { Principal } from '../../platform/auth/principal.js';
import { Database } from '../../platform/database/database.js';
import { readOldestFirst } from '../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { ProjectEntity } from './project.entity.js';
import type { Seen } from './require-role.js';
import { visibilityOf } from './visibility.js';

export type SeenProject = ProjectEntity & Seen;

/** The form of a project's key, wherever a path takes one in place of an id (spec §4). */
const PROJECT_KEY = /^[A-Z][A-Z0-9]{1,9}$/;

@Injectable()
export class ProjectsRepository {
  constructor(private readonly database: Database) {}

  /** @param reference id or key; anything else finds nothing */
  async findSeen(caller: Principal, reference: string): Promise<SeenProject | null> {
    const column = isUuid(reference) ? 'id' : PROJECT_KEY.test(reference) ? 'key' : null;
    if (!column) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    return this.database.row<SeenProject>(
      `SELECT ${COLUMNS}, ${visibility.rank} AS "callerRank" FROM projects p ${visibility.membership}
       WHERE p.${column} = $1 AND ${visibility.seen}`,
      [reference, ...visibility.parameters],
    );
  }

  listSeen(caller: Principal, page: PageRequest): Promise<Page<ProjectEntity>> {
    const visibility = visibilityOf(caller, 'p', 1);
    const from = `projects p ${visibility.membership}`;
    const list = { columns: COLUMNS, from, where: visibility.seen, parameters: visibility.parameters };
    return readOldestFirst<ProjectEntity>(this.database, list, page, 'p');
  }

  async insert(
    project: Pick<ProjectEntity, 'id' | 'key' | 'name' | 'description' | 'visibility'>,
  ): Promise<void> {
    await this.database.manager.insert(ProjectEntity, project);
  }

  async update(id: string, fields: QueryDeepPartialEntity<ProjectEntity>): Promise<void> {
    await this.database.manager.update(ProjectEntity, { id }, { ...fields, updatedAt: () => 'now()' });
  }

  /** Holds the project against everyone who makes issues or links in it. */
  async lock(id: string): Promise<void> {
    await this.database.rows('SELECT id FROM projects WHERE id = $1 FOR UPDATE', [id]);
  }

  async hasLinksToOthers(id: string): Promise<boolean> {
    const found = await this.database.row(
      `SELECT 1 FROM issues i
       JOIN issue_links l ON i.id IN (l.source_issue_id, l.target_issue_id)
       JOIN issues other ON other.id IN (l.source_issue_id, l.target_issue_id) AND other.project_id <> i.project_id
       WHERE i.project_id = $1 LIMIT 1`,
      [id],
    );
    return found !== null;
  }

  async delete(id: string): Promise<void> {
    await this.database.manager.delete(ProjectEntity, { id });
  }
}

const COLUMNS = `p.id, p.key, p.name, p.description, p.visibility, p.created_at AS "createdAt", p.updated_at AS "updatedAt"`;
