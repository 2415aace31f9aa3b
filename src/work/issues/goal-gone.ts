import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { ValidationFailed } from '../../platform/http/problem.js';

/**
 * Waits for a write that may name a goal. The goal may have been deleted since it was looked at: the database
 * decides, and the caller is told as if it had been gone before.
 * @throws ValidationFailed on `goalId`
 */
export async function refuseGoneGoal(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (fault) {
    if (!isForeignKeyViolation(fault, 'issues_goal_of_same_project')) throw fault;
    throw new ValidationFailed([{ path: 'goalId', message: 'names no goal of this project' }]);
  }
}
