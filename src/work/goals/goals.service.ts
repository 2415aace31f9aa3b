import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../platform/auth/principal.js';
import type { Role } from '../../platform/auth/roles.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { Transactions } from '../../platform/database/transactions.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { NotFound } from '../../platform/http/problem.js';
import { Journal } from '../../platform/journal/journal.js';
import type { SeenProject } from '../projects/projects.repository.js';
import { requireRole } from '../projects/require-role.js';
import type { CreateGoalRequest } from './dto/create-goal.request.js';
import type { UpdateGoalRequest } from './dto/update-goal.request.js';
import type { GoalEntity } from './goal.entity.js';
import { GoalsRepository, type SeenGoal } from './goals.repository.js';

/** Goals of projects (spec §4). */
@Injectable()
export class GoalsService {
  constructor(
    private readonly goals: GoalsRepository,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  list(project: SeenProject, page: PageRequest): Promise<Page<GoalEntity>> {
    return this.goals.list(project.id, page);
  }

  async get(caller: Principal, goalId: string, threshold: Role = 'Viewer'): Promise<SeenGoal> {
    return requireRole(caller, await this.goals.findSeen(caller, goalId), threshold);
  }

  /** @param project seen by the caller with the right to write */
  create(project: SeenProject, { title, description = '' }: CreateGoalRequest): Promise<GoalEntity> {
    return this.transactions.run(async () => {
      const id = uuidv7();
      await this.insert({ id, projectId: project.id, title, description });
      await this.journal.record({
        type: 'goal.created',
        subject: { type: 'goal', id },
        projectId: project.id,
        data: { title },
      });
      return (await this.goals.read(id))!;
    });
  }

  async update(caller: Principal, goalId: string, request: UpdateGoalRequest): Promise<GoalEntity> {
    const { id } = await this.get(caller, goalId, 'Editor');
    return this.transactions.run(async () => {
      const before = await this.lock(id);
      const data = differences(before, request);
      if (Object.keys(data).length === 0) return before;
      await this.goals.update(id, { ...request });
      await this.journal.record({
        type: 'goal.updated',
        subject: { type: 'goal', id },
        projectId: before.projectId,
        data,
      });
      return (await this.goals.read(id))!;
    });
  }

  /**
   * Its issues stay, without a goal. They are held before the goal, as whoever gives an issue a goal does it;
   * those that came to the goal between the two looks are taken off by the second one.
   */
  async delete(caller: Principal, goalId: string): Promise<void> {
    const { id } = await this.get(caller, goalId, 'Editor');
    await this.transactions.run(async () => {
      const first = await this.goals.takeIssuesOff(id);
      const { projectId, title } = await this.lock(id);
      const issueIds = [...first, ...(await this.goals.takeIssuesOff(id))];
      await this.goals.delete(id);
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

  private async insert(goal: Pick<GoalEntity, 'id' | 'projectId' | 'title' | 'description'>): Promise<void> {
    try {
      await this.goals.insert(goal);
    } catch (fault) {
      // The project was deleted between the look at it and now.
      if (isForeignKeyViolation(fault)) throw new NotFound();
      throw fault;
    }
  }

  private async lock(id: string): Promise<GoalEntity> {
    const goal = await this.goals.lock(id);
    if (!goal) throw new NotFound();
    return goal;
  }
}

function differences(
  before: GoalEntity,
  wished: UpdateGoalRequest,
): Record<string, { old: string; new: string }> {
  const fields = ['title', 'description'] as const;
  const changed = fields.filter((field) => wished[field] !== undefined && wished[field] !== before[field]);
  return Object.fromEntries(changed.map((field) => [field, { old: before[field], new: wished[field]! }]));
}
