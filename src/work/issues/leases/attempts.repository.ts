import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { giveBackFor } from './given-back.js';

/** Counts how often agents failed at an issue. */
@Injectable()
export class AttemptsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Counts a failed attempt for each issue. `givenBackBy` does not get them for a while. */
  async count(issueIds: string[], givenBackBy: string | null): Promise<void> {
    await this.database.change(
      `UPDATE issues SET attempts = attempts + 1, ${giveBackFor('$2')} WHERE id = ANY($1::uuid[])`,
      [issueIds, givenBackBy],
    );
  }
}
