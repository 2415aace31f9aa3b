import { Injectable } from '@nestjs/common';
import type { Principal } from '../platform/authentication/principals-and-roles.js';

/** The projects that a caller sees, as SQL around a table `projects`. */
export interface SeenProjects {
  /** A LEFT JOIN that belongs to the condition. */
  membership: string;
  /** Condition: the caller sees the project. */
  seen: string;
  /** The values of the placeholders. */
  parameters: unknown[];
}

/**
 * Returns null for a caller who sees every project.
 * @param alias of the table `projects`
 * @param from number of the first placeholder
 */
export type SeenProjectsRule = (caller: Principal, alias: string, from: number) => SeenProjects | null;

/** Holds the rule which projects a caller sees. The layer above, which knows projects, gives it. */
@Injectable()
export class SeenProjectsService {
  private given: SeenProjectsRule | null = null;

  set rule(rule: SeenProjectsRule) {
    this.given = rule;
  }

  get rule(): SeenProjectsRule {
    if (!this.given) throw new Error('No rule says which projects a caller sees.');
    return this.given;
  }
}
