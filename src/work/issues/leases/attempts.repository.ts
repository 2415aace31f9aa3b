import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { forgetGivenBackUnless, giveBackFor, releasedBy } from './given-back.js';

/** Counts how often agents came to nothing with an issue, and how long they wait before they get it again. */
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

  /** Counts a release of a locked issue. The agent does not get it for a while, and not before `seconds` are over. */
  async release(issueId: string, agentId: string, seconds: number, reason: string | null): Promise<void> {
    await this.database.change(
      `UPDATE issues i SET ${releasedBy('$2::uuid', '$3::int', '$4::text')} WHERE i.id = $1`,
      [issueId, agentId, seconds, reason],
    );
  }

  /**
   * Lets the agents of these issues have them again at once, because a person has changed something. Callers do this
   * before they lock what belongs to an issue.
   */
  async endWait(issueIds: string[]): Promise<void> {
    await this.database.change(
      `UPDATE issues i SET ${forgetGivenBackUnless('false')} WHERE i.id = ANY($1::uuid[]) AND i.given_back_by IS NOT NULL`,
      [issueIds],
    );
  }
}
