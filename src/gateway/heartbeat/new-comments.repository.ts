import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';

/** A comment that the agent has not received yet. */
export interface NewComment {
  id: string;
  issueId: string;
  content: string;
  authorType: 'User' | 'Agent' | 'System';
  authorId: string | null;
  authorName: string;
  createdAt: Date;
  updatedAt: Date;
}

/** The most comments returned per issue: the newest. */
const COMMENTS_PER_ISSUE = 500;

/** A response shows at least so much of each issue, which is one whole comment. */
const LEAST_BYTES = 65_536;

const NEWEST_FIRST = 'ORDER BY "createdAt" DESC, id DESC';

/** Keeps the newest comments of one issue whose texts fit in so many bytes, and always the newest one. */
const fitting = (comments: string, bytes: string) => `
  SELECT id, "issueId", content, "authorType", "authorId", "authorName", "createdAt", "updatedAt" FROM (
    SELECT *, sum(octet_length(content)) OVER newest AS bytes, row_number() OVER newest AS nth FROM (${comments}) AS every
    WINDOW newest AS (${NEWEST_FIRST} ROWS UNBOUNDED PRECEDING)) AS counted
  WHERE bytes <= ${bytes}::bigint OR nth = 1`;

const COLUMNS = `id, issue_id AS "issueId", content, author_type AS "authorType", author_id AS "authorId",
  author_name AS "authorName", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Selects by snapshot, not by time: a comment that was committed after a snapshot is not in it, whatever its time. */
const newComments = (since: string, bytes: string) => `
  SELECT c.*
  FROM issue_leases l CROSS JOIN LATERAL (${fitting(
    `SELECT ${COLUMNS} FROM comments
     WHERE issue_id = l.issue_id AND author_id IS DISTINCT FROM $1
       AND (${since} IS NULL OR NOT pg_visible_in_snapshot(transaction_id, ${since}))
     ORDER BY created_at DESC, id DESC LIMIT ${COMMENTS_PER_ISSUE}`,
    bytes,
  )}) AS c
  WHERE l.issue_id = ANY($2::uuid[]) AND l.agent_id = $1 ORDER BY c."createdAt", c.id`;

/** The comments that an agent has not received yet (contract §7.3). */
@Injectable()
export class NewCommentsRepository {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly settings: Settings,
  ) {}

  /** Returns the comments of others on these issues since the agent's last turn. */
  find(agentId: string, issueIds: string[]): Promise<NewComment[]> {
    return this.source.query<NewComment[]>(newComments('l.told_of', '$3'), [
      agentId,
      issueIds,
      this.bytesEach(issueIds),
    ]);
  }

  /** Returns the last `most` comments on each of these issues by any author, oldest first. */
  last(issueIds: string[], most: number): Promise<NewComment[]> {
    const comments = `SELECT ${COLUMNS} FROM comments WHERE issue_id = asked.id ORDER BY created_at DESC, id DESC LIMIT $2`;
    return this.source.query<NewComment[]>(
      `SELECT c.* FROM unnest($1::uuid[]) AS asked(id) CROSS JOIN LATERAL (${fitting(comments, '$3')}) AS c
       ORDER BY c."createdAt", c.id`,
      [issueIds, most, this.bytesEach(issueIds)],
    );
  }

  /** Begins a turn: returns new comments and marks them as received, in one statement, so that none is lost in between. */
  beginTurn(agentId: string, issueId: string, isReported: boolean): Promise<NewComment[]> {
    return this.source.query<NewComment[]>(
      `WITH received AS (
         UPDATE issue_leases
         SET told_of = pg_current_snapshot(), turns = turns + 1,
             reported_turn = CASE WHEN $3 THEN turns + 1 ELSE reported_turn END
         WHERE issue_id = ANY($2::uuid[]) AND agent_id = $1)
       ${newComments('l.told_of', '$4')}`,
      [agentId, [issueId], isReported, this.bytesEach([issueId])],
    );
  }

  /** All issues of a response share the bytes of a page. */
  private bytesEach(issueIds: string[]): number {
    return Math.max(
      LEAST_BYTES,
      Math.floor(this.settings.limits.pageMaxBytes / Math.max(1, issueIds.length)),
    );
  }
}
