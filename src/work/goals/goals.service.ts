import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import type { Principal, Role } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { NotFound } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import type { SeenProject } from '../projects/projects-members-and-graph-lock.repository.js';
import { requireRole, type Seen, visibilityOf } from '../projects/visibility.js';
import type { CreateGoalRequest, UpdateGoalRequest } from './goal.dto.js';
import { Goal } from './goal.entity.js';

/** A goal with the caller's rank in its project. */
type SeenGoal = Goal & Seen;

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

/** Manages the goals of projects (contract §4). */
@Injectable()
export class GoalsService {
  constructor(
    @InjectRepository(Goal) private readonly goals: GoalRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  list(project: SeenProject, page: PageRequest): Promise<Page<Goal>> {
    return this.goals.list(project.id, page);
  }

  async get(caller: Principal, goalId: string, threshold: Role = 'Viewer'): Promise<SeenGoal> {
    return requireRole(caller, await this.goals.findSeen(caller, goalId), threshold);
  }

  /** @param project that the caller sees and may write in */
  create(project: SeenProject, { title, description = '' }: CreateGoalRequest): Promise<Goal> {
    return this.transactions.run(async () => {
      const id = uuidv7();
      await this.insert({ id, projectId: project.id, title, description });
      await this.journal.record({
        type: 'goal.created',
        subject: { type: 'goal', id },
        projectId: project.id,
        data: { title },
      });
      return this.goals.findOneByOrFail({ id });
    });
  }

  async update(caller: Principal, goalId: string, request: UpdateGoalRequest): Promise<Goal> {
    const { id } = await this.get(caller, goalId, 'Editor');
    return this.transactions.run(async () => {
      const before = await this.lock(id);
      const data = differences(before, request);
      if (Object.keys(data).length === 0) return before;
      const { title, description } = request;
      await this.goals.update({ id }, { title, description, updatedAt: () => 'now()' });
      await this.journal.record({
        type: 'goal.updated',
        subject: { type: 'goal', id },
        projectId: before.projectId,
        data,
      });
      return this.goals.findOneByOrFail({ id });
    });
  }

  /**
   * Deletes a goal. Its issues stay, without a goal. They are locked before the goal, in the order of a transaction that
   * gives an issue a goal; the second query clears the issues that got the goal between the two locks.
   */
  async delete(caller: Principal, goalId: string): Promise<void> {
    const { id } = await this.get(caller, goalId, 'Editor');
    await this.transactions.run(async () => {
      const first = await this.goals.takeIssuesOff(id);
      const { projectId, title } = await this.lock(id);
      const issueIds = [...first, ...(await this.goals.takeIssuesOff(id))];
      await this.goals.delete({ id });
      await this.journal.record(
        { type: 'goal.deleted', subject: { type: 'goal', id }, projectId, data: { title } },
        ...issueIds.map((issueId) => ({
          type: 'issue.updated' as const,
          subject: { type: 'issue', id: issueId },
          projectId,
          issueId,
          data: { goalId: { old: id, new: null } },
        })),
      );
    });
  }

  private async insert(goal: Pick<Goal, 'id' | 'projectId' | 'title' | 'description'>): Promise<void> {
    try {
      await this.goals.insert({ ...goal });
    } catch (error) {
      // The project was deleted after it was read.
      if (isForeignKeyViolation(error)) throw new NotFound();
      throw error;
    }
  }

  /** Locks the goal: no change of it, and no issue that gets it, passes. @throws NotFound when it has been deleted */
  private async lock(id: string): Promise<Goal> {
    const goal = await this.goals.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!goal) throw new NotFound();
    return goal;
  }
}

function differences(before: Goal, wished: UpdateGoalRequest): Record<string, { old: string; new: string }> {
  const fields = ['title', 'description'] as const;
  const changed = fields.filter((field) => wished[field] !== undefined && wished[field] !== before[field]);
  return Object.fromEntries(changed.map((field) => [field, { old: before[field], new: wished[field]! }]));
}
