import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { type RecentUsage, recentUsageOf } from '../../agents/usage-figures.js';
import type { Principal } from '../../platform/authentication/principal.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { type Seen, visibilityOf } from './visibility.js';

export const visibilities = ['open', 'members'] as const;
export type ProjectVisibility = (typeof visibilities)[number];

/** To whom agents may assign the issues that they create (contract §4.1). */
export const assignmentRules = ['any', 'self'] as const;
export type AssignmentRule = (typeof assignmentRules)[number];

/** What issues belong to. */
export interface ProjectRow {
  id: string;
  key: string;
  name: string;
  description: string;
  visibility: ProjectVisibility;
  agentsMayAssign: AssignmentRule;
  usage: RecentUsage;
  createdAt: Date;
  updatedAt: Date;
}

/** A project with the caller's rank in it. */
export type SeenProject = ProjectRow & Seen;

/** What an update sets; an absent field stays as it is. */
export type ProjectChange = Partial<
  Pick<ProjectRow, 'name' | 'description' | 'visibility' | 'agentsMayAssign'>
>;

/** The form of a project's key, wherever a path takes one in place of an id (contract §4). */
const PROJECT_KEY = /^[A-Z][A-Z0-9]{1,9}$/;

const COLUMNS = `p.id, p.key, p.name, p.description, p.visibility, p.agents_may_assign AS "agentsMayAssign", ${recentUsageOf('project', 'p.id')} AS usage, p.created_at AS "createdAt", p.updated_at AS "updatedAt"`;

@Injectable()
export class ProjectsRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly pages: KeysetPagesService,
  ) {}

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

  listSeen(caller: Principal, page: PageRequest): Promise<Page<ProjectRow>> {
    const visibility = visibilityOf(caller, 'p', 1);
    const from = `projects p ${visibility.membership}`;
    const list = { columns: COLUMNS, from, where: visibility.seen, parameters: visibility.parameters };
    return this.pages.readOldestFirst<ProjectRow>(list, page, 'p');
  }

  async insert(
    project: Pick<ProjectRow, 'id' | 'key' | 'name' | 'description' | 'visibility' | 'agentsMayAssign'>,
  ): Promise<void> {
    const { id, key, name, description, visibility, agentsMayAssign } = project;
    await this.database.change(
      `INSERT INTO projects (id, key, name, description, visibility, agents_may_assign)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, key, name, description, visibility, agentsMayAssign],
    );
  }

  async update(id: string, { name, description, visibility, agentsMayAssign }: ProjectChange): Promise<void> {
    await this.database.change(
      `UPDATE projects SET
         name = coalesce($2, name), description = coalesce($3, description), visibility = coalesce($4, visibility),
         agents_may_assign = coalesce($5, agents_may_assign), updated_at = now()
       WHERE id = $1`,
      [id, name, description, visibility, agentsMayAssign],
    );
  }

  /** Locks the project, so that no issue or link is created in it until the transaction ends. */
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
    await this.database.change('DELETE FROM projects WHERE id = $1', [id]);
  }
}
