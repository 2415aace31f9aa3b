import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';

/** After so many releases in a row a person has to look at an issue (contract §8.7). */
export const MANY_RELEASES = 10;

/** Condition: the agent gave back or released the issue `i` and does not get it yet (contract §7.2). @param agentId SQL */
export const isGivenBack = (agentId: string) =>
  `(i.given_back_by = ${agentId} AND i.given_back_until > now())`;

/** Condition: the agent did not give back or release the issue `i`, or may get it again. @param agentId SQL */
export const isNotGivenBack = (agentId: string) =>
  `(i.given_back_by IS DISTINCT FROM ${agentId} OR i.given_back_until <= now())`;

/**
 * Assignments for an issue that this agent gave back: it does not get it for a minute, doubling with each attempt up to
 * an hour. It ends the row of releases. @param agentId SQL; null where no agent gave it back
 */
export const giveBackFor = (agentId: string) => `
  given_back_by = ${agentId}::uuid,
  given_back_until = CASE WHEN ${agentId}::uuid IS NOT NULL
    THEN now() + least(interval '1 hour', interval '1 minute' * power(2, least(attempts, 10))) END,
  releases = 0, released_since = NULL, release_reason = NULL`;

/**
 * Assignments for an issue `i` that this agent released: it does not get it for a second, doubling with each release in
 * a row up to 10 minutes, and not before the time that it asked for.
 * @param agentId SQL
 * @param seconds SQL of the time that it asked for
 */
export const releasedBy = (agentId: string, seconds: string, reason: string) => {
  const inRow = `CASE WHEN i.given_back_by = ${agentId} THEN i.releases ELSE 0 END`;
  return `
  given_back_by = ${agentId},
  given_back_until = now() + greatest(make_interval(secs => ${seconds}),
    least(interval '10 minutes', interval '1 second' * power(2, least(${inRow}, 10)))),
  releases = ${inRow} + 1, release_reason = ${reason},
  released_since = CASE WHEN ${inRow} = 0 THEN now() ELSE i.released_since END`;
};

/** Assignments for an issue `i` that its agent may get again at once, except where the condition holds. @param condition SQL */
export const forgetGivenBackUnless = (condition: string) => `
  given_back_by = CASE WHEN ${condition} THEN i.given_back_by END,
  given_back_until = CASE WHEN ${condition} THEN i.given_back_until END,
  releases = CASE WHEN ${condition} THEN i.releases ELSE 0 END,
  released_since = CASE WHEN ${condition} THEN i.released_since END,
  release_reason = CASE WHEN ${condition} THEN i.release_reason END`;

/** Issues that their agents gave back or released, and how long those agents wait before they get them again (contract §7.2). */
@Injectable()
export class GivenBackIssuesRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: counts on what the row has. Counts a release of a locked issue. The agent does not get it for a while, and not before `seconds` are over. */
  async release(issueId: string, agentId: string, seconds: number, reason: string | null): Promise<void> {
    await this.source.query(
      `UPDATE issues i SET ${releasedBy('$2::uuid', '$3::int', '$4::text')} WHERE i.id = $1`,
      [issueId, agentId, seconds, reason],
    );
  }

  /**
   * SQL: several rows in one statement. Lets the agents of these issues have them again at once, because a person has changed something. Callers do this
   * before they lock what belongs to an issue.
   */
  async endWait(issueIds: string[]): Promise<void> {
    await this.source.query(
      `UPDATE issues i SET ${forgetGivenBackUnless('false')} WHERE i.id = ANY($1::uuid[]) AND i.given_back_by IS NOT NULL`,
      [issueIds],
    );
  }
}

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
