import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principal.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page.query.js';
import { type Seen, visibilityOf } from '../projects/visibility.js';
import { Goal } from './goal.entity.js';

/** A goal with the caller's rank in its project. */
export type SeenGoal = Goal & Seen;

const COLUMNS = `g.id, g.project_id AS "projectId", g.title, g.description, g.created_at AS "createdAt", g.updated_at AS "updatedAt"`;

/** Beside what TypeORM gives, the statements about goals that stay SQL (decision 0053). */
@Injectable()
export class GoalRepository extends Repository<Goal> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(Goal, source.manager);
  }

  /** SQL: visibility in the same read. Returns null for an id that is malformed, unknown, or not seen by the caller. */
  async findSeen(caller: Principal, id: string): Promise<SeenGoal | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    const [seen] = await this.query<SeenGoal[]>(
      `SELECT ${COLUMNS}, ${visibility.rank} AS "callerRank"
       FROM goals g JOIN projects p ON p.id = g.project_id ${visibility.membership}
       WHERE g.id = $1 AND ${visibility.seen}`,
      [id, ...visibility.parameters],
    );
    return seen ?? null;
  }

  /** SQL: a keyset page, oldest first. */
  list(projectId: string, page: PageRequest): Promise<Page<Goal>> {
    const list = { columns: COLUMNS, from: 'goals g', where: 'g.project_id = $1', parameters: [projectId] };
    return this.pages.readOldestFirst<Goal>(list, page, 'g');
  }

  /**
   * SQL: the update locks its rows in id order (contract §6). Takes all issues off the goal.
   * @returns their ids
   */
  async takeIssuesOff(id: string): Promise<string[]> {
    const [rows] = await this.query<[{ id: string }[], number]>(
      `UPDATE issues i SET goal_id = NULL, version = i.version + 1, updated_at = now()
       FROM (SELECT id FROM issues WHERE goal_id = $1 ORDER BY id FOR UPDATE) AS held
       WHERE i.id = held.id RETURNING i.id`,
      [id],
    );
    return rows.map((row) => row.id);
  }
}
