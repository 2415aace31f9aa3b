import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Principal, Role } from '../../platform/authentication/principal.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page.query.js';
import { NotFound } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import type { SeenProject } from '../projects/project.repository.js';
import { requireRole } from '../projects/visibility.js';
import type { CreateGoalRequest, UpdateGoalRequest } from './goal.dto.js';
import { Goal } from './goal.entity.js';
import { GoalRepository, type SeenGoal } from './goal.repository.js';

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
