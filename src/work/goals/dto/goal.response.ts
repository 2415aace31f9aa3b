import { pick } from '../../../platform/http/pick.js';
import type { GoalRow } from '../goals.repository.js';

/** A goal that issues of its project work towards. */
export class GoalResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a06 */
  id!: string;
  projectId!: string;
  /** @example "Release 2.0 by the end of March" */
  title!: string;
  description!: string;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: GoalRow): GoalResponse {
    return pick(row, 'id', 'projectId', 'title', 'description', 'createdAt', 'updatedAt');
  }
}
