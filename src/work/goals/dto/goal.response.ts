import type { GoalEntity } from '../goal.entity.js';

/** A goal: what issues of its project work towards. */
export class GoalResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  id!: string;
  projectId!: string;
  /** @example "Release 2.0 by the end of March" */
  title!: string;
  description!: string;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: GoalEntity): GoalResponse {
    const { id, projectId, title, description, createdAt, updatedAt } = row;
    return Object.assign(new GoalResponse(), { id, projectId, title, description, createdAt, updatedAt });
  }
}
