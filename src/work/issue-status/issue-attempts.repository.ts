import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { giveBackFor } from './given-back-issues.repository.js';

/** Returns whether the attempt that fails now is the last one, after which a person has to look (contract §7.2). */
export function isLastAttempt({ attempts }: { attempts: number }, maxAttempts: number): boolean {
  return attempts + 1 >= maxAttempts;
}

/** Assignment for an issue `i`: the count of failed attempts starts again at 0 where the condition holds. @param condition SQL */
export const resetAttemptsWhen = (condition: string) =>
  `attempts = CASE WHEN ${condition} THEN 0 ELSE i.attempts END`;

/** Counts how often agents came to nothing with an issue. */
@Injectable()
export class AttemptsRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: counts on what the rows have. Counts a failed attempt for each issue. `givenBackBy` does not get them for a while. */
  async count(issueIds: string[], givenBackBy: string | null): Promise<void> {
    await this.source.query(
      `UPDATE issues SET attempts = attempts + 1, ${giveBackFor('$2')} WHERE id = ANY($1::uuid[])`,
      [issueIds, givenBackBy],
    );
  }
}
