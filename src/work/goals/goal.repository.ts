import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principal.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { type Seen, visibilityOf } from '../projects/visibility.js';

/** What issues of a project work towards. */
export interface GoalRow {
  id: string;
  projectId: string;
  title: string;
  description: string;
  createdAt: Date;
  updatedAt: Date;
}

/** A goal with the caller's rank in its project. */
export type SeenGoal = GoalRow & Seen;

const COLUMNS = `g.id, g.project_id AS "projectId", g.title, g.description, g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;

@Injectable()
export class GoalsRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly pages: KeysetPagesService,
  ) {}

  async findSeen(caller: Principal, id: string): Promise<SeenGoal | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    return this.database.row<SeenGoal>(
      `SELECT ${COLUMNS}, ${visibility.rank} AS "callerRank"
       FROM goals g JOIN projects p ON p.id = g.project_id ${visibility.membership}
       WHERE g.id = $1 AND ${visibility.seen}`,
      [id, ...visibility.parameters],
    );
  }

  list(projectId: string, page: PageRequest): Promise<Page<GoalRow>> {
    const list = { columns: COLUMNS, from: 'goals g', where: 'g.project_id = $1', parameters: [projectId] };
    return this.pages.readOldestFirst<GoalRow>(list, page, 'g');
  }

  async read(id: string): Promise<GoalRow | null> {
    return this.database.row<GoalRow>(`SELECT ${COLUMNS} FROM goals g WHERE g.id = $1`, [id]);
  }

  /** Locks the goal: no change of it, and no issue that gets it, passes. Returns null when it has been deleted. */
  async lock(id: string): Promise<GoalRow | null> {
    return this.database.row<GoalRow>(`SELECT ${COLUMNS} FROM goals g WHERE g.id = $1 FOR UPDATE`, [id]);
  }

  async insert(goal: Pick<GoalRow, 'id' | 'projectId' | 'title' | 'description'>): Promise<void> {
    await this.database.change(
      'INSERT INTO goals (id, project_id, title, description) VALUES ($1, $2, $3, $4)',
      [goal.id, goal.projectId, goal.title, goal.description],
    );
  }

  /** Changes a locked goal; an absent field stays as it is. */
  async update(id: string, { title, description }: { title?: string; description?: string }): Promise<void> {
    await this.database.change(
      `UPDATE goals SET title = coalesce($2, title), description = coalesce($3, description), updated_at = now()
       WHERE id = $1`,
      [id, title, description],
    );
  }

  /** Takes all issues off the goal, locked in id order (contract §6). @returns their ids */
  async takeIssuesOff(id: string): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(
      `UPDATE issues i SET goal_id = NULL, version = i.version + 1, updated_at = now()
       FROM (SELECT id FROM issues WHERE goal_id = $1 ORDER BY id FOR UPDATE) AS held
       WHERE i.id = held.id RETURNING i.id`,
      [id],
    );
    return rows.map((row) => row.id);
  }

  async delete(id: string): Promise<void> {
    await this.database.change('DELETE FROM goals WHERE id = $1', [id]);
  }
}
