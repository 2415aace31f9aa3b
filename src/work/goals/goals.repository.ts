import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/auth/principal.js';
import { Database } from '../../platform/database/database.js';
import { readOldestFirst } from '../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import type { Seen } from '../projects/require-role.js';
import { visibilityOf } from '../projects/visibility.js';
import { GoalEntity } from './goal.entity.js';

export type SeenGoal = GoalEntity & Seen;

@Injectable()
export class GoalsRepository {
  constructor(private readonly database: Database) {}

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

  list(projectId: string, page: PageRequest): Promise<Page<GoalEntity>> {
    const list = { columns: COLUMNS, from: 'goals g', where: 'g.project_id = $1', parameters: [projectId] };
    return readOldestFirst<GoalEntity>(this.database, list, page, 'g');
  }

  async read(id: string): Promise<GoalEntity | null> {
    return this.database.row<GoalEntity>(`SELECT ${COLUMNS} FROM goals g WHERE g.id = $1`, [id]);
  }

  /** Holds the goal against changes and against issues that come to it; null where it was deleted meanwhile. */
  async lock(id: string): Promise<GoalEntity | null> {
    return this.database.row<GoalEntity>(`SELECT ${COLUMNS} FROM goals g WHERE g.id = $1 FOR UPDATE`, [id]);
  }

  async insert(goal: Pick<GoalEntity, 'id' | 'projectId' | 'title' | 'description'>): Promise<void> {
    await this.database.manager.insert(GoalEntity, goal);
  }

  async update(id: string, fields: QueryDeepPartialEntity<GoalEntity>): Promise<void> {
    await this.database.manager.update(GoalEntity, { id }, { ...fields, updatedAt: () => 'now()' });
  }

  /** Takes all issues off the goal, holding them in the order of their ids like everyone does (spec §6). @returns their ids */
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
    await this.database.manager.delete(GoalEntity, { id });
  }
}

const COLUMNS = `g.id, g.project_id AS "projectId", g.title, g.description, g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;
